use super::*;

#[test]
fn the_graph_is_one_frozen_object() {
    assert_eq!(json("return g.graph === graph && Object.isFrozen(g) && Object.isFrozen(graph)"), true);
    assert_eq!(
        json(
            "const all = [graph]; let count = 0;
             while (all.length) {
               const value = all.pop();
               if (typeof value !== 'object' || value === null) continue;
               if (!Object.isFrozen(value)) throw new Error('not frozen');
               count += 1; all.push(...Object.values(value));
             }
             return count"
        ),
        9
    );
    for body in [
        "graph.nodes.push(1)",
        "graph.nodes[0].id = 'x'",
        "graph.nodes.length = 0",
        "graph.nodes.length = 9",
        "graph.locations.push(1)",
        "graph.extra = 1",
        "delete graph.nodes[0].title",
        "graph.nodes.reverse()",
        "g.specs = 1",
        "g.graph = 1",
        "g.extra = 1",
        "report.findings = []",
        "Object.setPrototypeOf(graph, null)",
        "graph.__proto__ = {}",
        "recipes.x = 1",
        "g.specs.x = 1",
    ] {
        let body = format!("try {{ {body} }} catch (e) {{ return e.name }}; return 'went through'");
        assert_eq!(json(&body), "TypeError", "{body}");
    }
}

#[test]
fn graph_objects_are_ordinary_objects_of_the_bodys_realm() {
    for body in [
        "graph instanceof Object",
        "graph.nodes instanceof Array && graph.nodes instanceof Object",
        "Array.isArray(graph.nodes)",
        "Object.getPrototypeOf(graph) === Object.prototype",
        "Object.getPrototypeOf(graph.nodes) === Array.prototype",
        "Reflect.getPrototypeOf(graph.nodes) === Array.prototype",
        "graph.__proto__ === Object.prototype",
        "graph.nodes.__proto__ === Array.prototype",
        "graph.constructor === Object && graph.nodes.constructor === Array",
        "graph.nodes.map === Array.prototype.map",
        "Object.prototype.isPrototypeOf.call(Array.prototype, graph.nodes)",
        "graph.nodes.map(n => n.id) instanceof Array",
        "graph.nodes.filter(() => true).push(1) === 4",
        "graph.nodes.concat([1]).length === 4",
        "[...graph.nodes, ...graph.edges].length === 5",
        "({ ...graph.nodes[0] }).id === 'spec:a'",
        "[...graph.nodes].sort((a, b) => (a.id < b.id ? 1 : -1))[0].id === 'spec:c'",
        "graph.nodes.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0].id === 'spec:c'",
        "new Map(graph.nodes.map(n => [n.id, n])).get('spec:b') === graph.nodes[1]",
        "new Set(graph.nodes).has(graph.nodes[2])",
        "new WeakMap([[graph.nodes[0], 1]]).get(graph.nodes[0]) === 1",
        "JSON.parse(JSON.stringify(graph)).nodes.length === 3",
        "Object.keys(graph).join() === 'schemaVersion,nodes,edges,locations'",
        "Object.entries(graph.nodes[0])[0][1] === 'spec:a'",
        "graph.hasOwnProperty('nodes') && Object.hasOwn(graph, 'nodes')",
        "graph.toString() === '[object Object]' && `${graph.nodes.map(n => n.id)}` === 'spec:a,spec:b,spec:c'",
        "structuredEqual(graph.nodes[0])",
        "graph.nodes.find(n => n.id === 'spec:b') === g.byId('spec:b')",
        "Object.groupBy(graph.nodes, n => n.specKind)[graph.nodes[0].specKind].length === 3",
        "(() => { Array.prototype.last = function () { return this[this.length - 1] }; return graph.nodes.last().id === 'spec:c' })()",
        "Array.from(graph.nodes).length === 3 && Array.from(graph.nodes.entries())[2][0] === 2",
        "(() => { let n = 0; for (const node of graph.nodes) n += 1; for (const key in graph.nodes[0]) n += 1; return n === 11 })()",
        "(() => { try { graph.nodes.map(1) } catch (e) { return e instanceof TypeError } })()",
        "(() => { const { nodes: [first, ...rest] } = graph; return rest.length === 2 && first.id === 'spec:a' })()",
    ] {
        let body = format!(
            "const structuredEqual = value => JSON.stringify(value) === JSON.stringify({{ ...value }}); return {body}"
        );
        assert_eq!(json(&body), true, "{body}");
    }
}

#[test]
fn list_answers_are_fresh_arrays_over_shared_elements() {
    for list in ["g.specs", "g.packs", "g.findings"] {
        assert_eq!(
            json(&format!(
                "const a = {list}(), b = {list}(); a.push(1);
                 return a !== b && a instanceof Array && b.length === {list}().length
                   && b.every((x, i) => x === a[i] && Object.isFrozen(x))"
            )),
            true,
            "{list}"
        );
    }
}

#[test]
fn a_node_is_looked_up_by_its_id() {
    assert_eq!(json("return g.byId('spec:b') === g.byId('spec:b') && Object.isFrozen(g.byId('spec:b'))"), true);
    assert_eq!(json("const early = g.byId('spec:b'); return g['gra' + 'ph'].nodes[1] === early"), true);
    assert_eq!(
        json("return ['spec:x', 1, undefined, null, {}, '\\ud800'].map(id => g.byId(id) === undefined)"),
        serde_json::json!([true, true, true, true, true, true])
    );
    assert_eq!(json("return g.byId() === undefined"), true);
}

#[test]
fn edges_are_looked_up_by_either_end() {
    assert_eq!(json("return g.out('spec:a').map(e => e.to)"), serde_json::json!(["spec:b"]));
    assert_eq!(json("return g.in('spec:c').map(e => e.from)"), serde_json::json!(["spec:b"]));
    assert_eq!(json("return g.out('spec:a')[0] === graph.edges[0] && g.in('spec:b')[0] === graph.edges[0]"), true);
    assert_eq!(
        json(
            "return [g.out('spec:a', 'refines').length, g.out('spec:a', 'uses').length, g.out('spec:a', 1).length, g.out('spec:a', undefined).length]"
        ),
        serde_json::json!([1, 0, 0, 1])
    );
    assert_eq!(
        json("return [g.out(), g.in(1), g.out('x'), g.in(null)].map(l => l.length)"),
        serde_json::json!([0, 0, 0, 0])
    );
    assert_eq!(json("const a = g.out('spec:a'); a.pop(); return g.out('spec:a').length"), 1);
}

#[test]
fn single_answers_are_fresh_and_writable() {
    assert_eq!(
        json("const f = g.byFile('x.rs'); f.more = 1; return [f, g.byFile('x.rs')]"),
        serde_json::json!([{ "path": "x.rs", "nodes": [], "specs": [], "more": 1 }, { "path": "x.rs", "nodes": [], "specs": [] }])
    );
    assert_eq!(json("return g.findByConcept('nothing has this')"), serde_json::json!([]));
    assert_eq!(json("return g.byFile('x.rs') instanceof Object && g.findByConcept('x') instanceof Array"), true);
    assert_eq!(json("return g.specContext('spec:none') === undefined"), true);
    assert_eq!(json("return g.packContext('pack:none') === undefined && g.packContext('spec:a') === undefined"), true);
    for body in ["g.findByConcept()", "g.findByConcept(1)", "g.byFile(null)", "g.specContext({})", "g.packContext()"] {
        assert_eq!(thrown(body).name.as_deref(), Some("TypeError"), "{body}");
    }
}

/// A body over a space of two closed dimensions with one example.
fn of_space(body: &str) -> serde_json::Value {
    let fence = |name: &str, lines: &str| format!("## {name}\n\n```{lines}\n```");
    let vocabulary = "gwt-vocabulary\nGiven {a:boolean} and {b:\"x\"|\"y\"}\nWhen w\nThen {n:number}";
    let case = "gwt\nGiven {a: true} and {b: \"x\"}\nWhen w\nThen {n: 1}";
    let graph = crate::testing::graph(&[
        crate::testing::spec("spec:s behavior idea", "", &fence("Example space", vocabulary)),
        crate::testing::spec("spec:s.x example idea", "refines: spec:s", &fence("Intent\n- outcome: o", case)),
    ]);
    let reader = Arc::new(Reader::new(Arc::new(graph)));
    Evaluator::new(reader, options()).run(job(body)).unwrap().to_json().unwrap()
}

#[test]
fn an_example_space_is_decoded() {
    assert_eq!(
        of_space(
            "const s = g.exampleSpace('spec:s'); s.more = 1;
             return [s.id, s.dimensions.map(d => d.name), s.dimensions[0].untaken, s.examples[0].point, s.outcomes[0].examples, 'untakenPairs' in s]"
        ),
        serde_json::json!(["spec:s", ["a", "b"], [false], { "a": true, "b": "x" }, 1, false])
    );
    assert_eq!(
        of_space("return g.exampleSpace('spec:s', { pairs: true }).untakenPairs.map(p => p.map(s => s.value))"),
        serde_json::json!([[true, "y"], [false, "x"], [false, "y"]])
    );
    assert_eq!(
        of_space(
            "return [{}, undefined, { pairs: false }, { pairs: undefined }].map(wish => 'untakenPairs' in g.exampleSpace('spec:s', wish))"
        ),
        serde_json::json!([false, false, false, false])
    );
    assert_eq!(
        of_space("return ['spec:s.x', 'spec:none', '', '\\ud800'].map(id => g.exampleSpace(id) === undefined)"),
        serde_json::json!([true, true, true, true])
    );
    for call in [
        "g.exampleSpace()",
        "g.exampleSpace(1)",
        "g.exampleSpace('spec:a', true)",
        "g.exampleSpace('spec:a', null)",
        "g.exampleSpace('spec:a', { pair: true })",
        "g.exampleSpace('spec:a', { pairs: 1 })",
    ] {
        let error = thrown(call);
        assert_eq!(
            (error.name.as_deref(), error.message.as_str()),
            (Some("TypeError"), "exampleSpace takes one string, then { pairs: boolean }"),
            "{call}"
        );
    }
    let error = thrown("g.exampleSpace('spec:a', { get pairs() { throw new RangeError('mine') } })");
    assert_eq!((error.name.as_deref(), error.message.as_str()), (Some("RangeError"), "mine"));
}

#[test]
fn a_blast_radius_takes_one_array_of_strings() {
    assert_eq!(
        json("return g.blastRadius(['./specs/a.sdp.md', 'x.rs', 'specs/a.sdp.md', '\\ud800'])"),
        serde_json::json!({
            "changedFiles": ["specs/a.sdp.md", "x.rs", "\u{fffd}"],
            "impactedSpecs": [{ "id": "spec:a", "reasons": [{ "file": "specs/a.sdp.md" }] }],
            "impactedPacks": [],
            "atRisk": [{
                "id": "spec:b", "nodeType": "Primitive", "title": "Title of spec:b",
                "reasons": [{ "from": "spec:a", "edgeType": "refines", "to": "spec:b", "claim": "declared" }],
            }],
            "coverageUnknown": ["x.rs", "\u{fffd}"],
            "unlinked": [],
        })
    );
    assert_eq!(json("return g.blastRadius(graph.nodes.map(n => n.file)).impactedSpecs.length"), 3);
    for argument in [
        "",
        "'a'",
        "null",
        "{ length: 1, 0: 'a' }",
        "[1]",
        "['a', undefined]",
        "[, 'a']",
        "[new String('a')]",
        "new Array(2 ** 32 - 1)",
        "new Proxy([], {})",
        "new Set(['a'])",
    ] {
        let error = thrown(&format!("g.blastRadius({argument})"));
        let expected = (Some("TypeError"), "blastRadius takes one array of strings");
        assert_eq!((error.name.as_deref(), error.message.as_str()), expected, "{argument}");
    }
    assert_eq!(
        thrown("g.blastRadius(Object.defineProperty([], 0, { get() { throw new Error('mine') } }))").message,
        "mine"
    );
    let grown = "const text = 'x'.repeat(2 ** 20), holes = new Array(2 ** 32 - 1);
        holes.__proto__ = new Proxy([], { get: () => text });
        g.blastRadius(holes)";
    let error = thrown(grown);
    let expected = (Some("RangeError"), "blastRadius takes at most 64 MiB of text");
    assert_eq!((error.name.as_deref(), error.message.as_str()), expected);
}

#[test]
fn a_pack_opens_up_in_a_body() {
    let carriers = [
        crate::testing::spec("spec:a rule idea", "", "## Rule\n- r"),
        "---\nid: pack:p\nspecs:\n  - spec:a\n---\n# P\n".to_owned(),
    ];
    let graph = Arc::new(crate::testing::graph(&carriers));
    let body = "const p = g.packContext('pack:p'); p.mine = 1;
        return [p.members.map(m => [m.id, m.statedNextRung]), g.packContext('pack:p').mine === undefined, p instanceof Object]";
    let answer = evaluate_body(body, Input { graph, report: None, params: None }).unwrap();
    assert_eq!(answer.to_json().unwrap(), serde_json::json!([[["spec:a", "scoped"]], true, true]));
}

#[test]
fn methods_work_when_detached() {
    assert_eq!(
        json(
            "const { specs, byId, out } = g; return [specs() instanceof Array, byId('spec:a').id, out('spec:a').length]"
        ),
        serde_json::json!([true, "spec:a", 1])
    );
    assert_eq!(
        json(
            "return [typeof g.specs, g.specs.name, g.specs instanceof Function, Object.getPrototypeOf(g.specs) === Function.prototype]"
        ),
        serde_json::json!(["function", "specs", true, true])
    );
    assert_eq!(
        json("return Object.keys(g)"),
        serde_json::json!([
            "graph",
            "specs",
            "packs",
            "findings",
            "findByConcept",
            "byFile",
            "blastRadius",
            "specContext",
            "packContext",
            "exampleSpace",
            "byId",
            "out",
            "in"
        ])
    );
}

#[test]
fn a_method_that_is_not_there_is_an_ordinary_type_error() {
    let error = thrown("g.noSuchMethod(['a'])");
    assert_eq!((error.name.as_deref(), error.message.as_str()), (Some("TypeError"), "not a function"));
}

#[test]
fn params_are_the_bodys_own() {
    let params = serde_json::from_str(
        r#"{"b": 1, "a": {"n": [null, true, 1.5, "ä"]}, "__proto__": {"x": 1}, "constructor": 2}"#,
    )
    .unwrap();
    let body = "params.more = 1; params.a.n.push(2); delete params.b;
        return [Object.keys(params), params.a.n.length, Object.hasOwn(params, '__proto__'), params.x === undefined, params instanceof Object]";
    let answer = evaluator().run(Job { params, ..job(body) }).unwrap();
    assert_eq!(
        answer.to_json().unwrap(),
        serde_json::json!([["a", "__proto__", "constructor", "more"], 5, true, true, true])
    );
}

#[test]
fn hidden_names_reach_the_graph_too() {
    for body in [
        "return gr\\u0061ph.nodes.length",
        "return eval('gra' + 'ph').nodes.length",
        "return arguments[1].nodes.length",
        "return g[['gra', 'ph'].join('')].nodes.length",
        "return Object.values(g)[0].nodes.length",
    ] {
        assert_eq!(json(body), 3, "{body}");
    }
    assert_eq!(json("return arguments[2].findings.length === g.findings().length"), true);
}

#[test]
fn another_argument_than_a_method_takes_is_refused_and_a_further_one_is_left_alone() {
    for (name, fine, takes) in [
        ("findByConcept", "'a'", "one string"),
        ("byFile", "'a'", "one string"),
        ("blastRadius", "[]", "one array of strings"),
        ("specContext", "'spec:a'", "one string"),
        ("packContext", "'pack:a'", "one string"),
        ("exampleSpace", "'spec:a', {}", "one string, then { pairs: boolean }"),
    ] {
        let said = |arguments: &str| {
            json(&format!(
                "try {{ g.{name}({arguments}); return 'fine' }} catch (e) {{ return e.name + ': ' + e.message }}"
            ))
        };
        assert_eq!(said(&format!("{fine}, 1")), "fine", "{name}");
        assert_eq!(said("7"), format!("TypeError: {name} takes {takes}"));
    }
    let ids = "const ids = g.specs().map((spec) => spec.id);";
    assert_eq!(json(&format!("{ids} return ids.map(g.byId).every((node, at) => node.id === ids[at])")), true);
    assert_eq!(json(&format!("{ids} return ids.map(g.specContext).every((spec, at) => spec.id === ids[at])")), true);
}

#[test]
fn options_are_a_plain_object() {
    let said = |options: &str| {
        json(&format!("try {{ g.exampleSpace('spec:a', {options}); return 'fine' }} catch (e) {{ return e.message }}"))
    };
    for options in ["undefined", "{}", "{ pairs: true }", "Object.create(null)", "Object.freeze({ pairs: false })"] {
        assert_eq!(said(options), "fine", "{options}");
    }
    for options in [
        "null",
        "[]",
        "() => 1",
        "class {}",
        "new Map()",
        "new (class {})()",
        "new Error('x')",
        "Promise.resolve()",
        "new Proxy({}, { getPrototypeOf() { throw 1 } })",
        "Object.create(new Proxy({}, { getPrototypeOf() { throw 1 } }))",
        "Object.create({ pairs: true })",
        "1",
        "'pairs'",
        "true",
    ] {
        assert_eq!(said(options), "exampleSpace takes one string, then { pairs: boolean }", "{options}");
    }
}
