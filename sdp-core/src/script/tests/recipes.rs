use super::*;

#[test]
fn a_mistaken_call_rejects() {
    for (call, message) in [
        ("recipes(99999)", "recipes: the catalog holds no recipe 99999"),
        ("recipes(-0)", "recipes: the catalog holds no recipe 0"),
        ("recipes(-1)", "recipes: the catalog holds no recipe -1"),
        ("recipes(1e21)", "recipes: the catalog holds no recipe 1e+21"),
        ("recipes(1.5)", "recipes: 1.5 is not a recipe number"),
        ("recipes(NaN)", "recipes: NaN is not a recipe number"),
        ("recipes(Infinity)", "recipes: Infinity is not a recipe number"),
        ("recipes('26')", "recipes: '26' is not a recipe number"),
        ("recipes()", "recipes: undefined is not a recipe number"),
        ("recipes(null)", "recipes: null is not a recipe number"),
        ("recipes(26n)", "recipes: 26n is not a recipe number"),
        ("recipes({ a: [1] })", "recipes: { a: [ 1 ] } is not a recipe number"),
        ("recipes(Symbol('s'))", "recipes: Symbol(s) is not a recipe number"),
        ("recipes(new Number(26))", "recipes: [Number: 26] is not a recipe number"),
        ("recipes('a\\nb')", "recipes: 'a\\nb' is not a recipe number"),
        ("recipes(99999, null)", "recipes: the catalog holds no recipe 99999"),
    ] {
        assert_eq!(
            json(&format!("return {call}.catch(e => [e instanceof Error, e.message])")),
            serde_json::json!([true, message]),
            "{call}"
        );
        assert_eq!(thrown(&format!("await {call}")).message, message);
    }
    let long = thrown("await recipes('x'.repeat(100000))").message;
    assert!(long.len() < 200 && !long.contains('\n'), "{long}");
}

#[test]
fn a_call_gives_a_promise_even_when_it_is_mistaken() {
    assert_eq!(json("const p = recipes(99999); p.catch(() => {}); return p instanceof Promise"), true);
}

const CATALOG: &[sdp_recipes::Recipe] = &[
    sdp_recipes::Recipe { number: 1, slug: "echo", body: "return [g, graph, report, params, recipes]" },
    sdp_recipes::Recipe { number: 2, slug: "caller", body: "return recipes(1, params)" },
    sdp_recipes::Recipe { number: 3, slug: "thrower", body: "\nthrow new TypeError('from the recipe')" },
    sdp_recipes::Recipe { number: 4, slug: "forever", body: "for (;;) await 0" },
    sdp_recipes::Recipe { number: 5, slug: "broken", body: "return )" },
    sdp_recipes::Recipe {
        number: 26,
        slug: "ids",
        body: "return { ids: graph.nodes.map(node => node.id), params } // the end",
    },
];

fn with_recipes_within(time: Duration, body: &str) -> Result<serde_json::Value, EvalError> {
    let evaluator = Evaluator::with_catalog(Arc::new(Reader::new(graph())), within(time), CATALOG);
    evaluator.run(job(body)).map(|answer| answer.to_json().unwrap())
}

fn with_recipes(body: &str) -> Result<serde_json::Value, EvalError> {
    with_recipes_within(PATIENT, body)
}

#[test]
fn a_recipe_gets_the_callers_own_objects() {
    let body = "const p = { x: 1 };
        const answers = [await recipes(1, p), await recipes(2, p)];
        return answers.map(a => a[0] === g && a[1] === graph && a[2] === report && a[3] === p && a[4] === recipes)";
    assert_eq!(with_recipes(body).unwrap(), serde_json::json!([true, true]));
    assert_eq!(
        with_recipes("const a = await recipes(1); return [a[1] === g.graph, a[2].validatorId, a[3]]").unwrap(),
        serde_json::json!([true, "graph", {}])
    );
    assert_eq!(with_recipes("return (await recipes(26, params)).params === params").unwrap(), true);
}

#[test]
fn a_recipe_number_is_an_integer_however_it_is_written() {
    let ids = serde_json::json!(["spec:a", "spec:b", "spec:c"]);
    for call in [
        "recipes(26)",
        "recipes(26.0, {})",
        "recipes(2.6e1, undefined)",
        "recipes(26, Object.create(null))",
        "recipes(26, graph.nodes[0])",
    ] {
        assert_eq!(with_recipes(&format!("return (await {call}).ids")).unwrap(), ids, "{call}");
    }
    let detached = "const call = recipes; return Promise.all([26, 26].map(n => call(n))).then(all => all.length)";
    assert_eq!(with_recipes(detached).unwrap(), 2);
}

#[test]
fn parameters_are_one_plain_object() {
    for value in [
        "null",
        "[]",
        "'x'",
        "1",
        "true",
        "1n",
        "Symbol()",
        "() => 1",
        "new Map()",
        "new Date()",
        "new (class A {})",
        "graph.nodes",
    ] {
        let body = format!("return recipes(26, {value}).catch(e => e.message)");
        assert_eq!(with_recipes(&body).unwrap(), "recipes: recipe 26 takes one parameters object", "{value}");
    }
}

#[test]
fn a_throwing_recipe_rejects_with_its_error() {
    let body = "return recipes(3).catch(e => [e instanceof TypeError, e.message])";
    assert_eq!(with_recipes(body).unwrap(), serde_json::json!([true, "from the recipe"]));
    let Err(EvalError::Thrown(thrown)) = with_recipes("1;\n2;\nawait recipes(3)") else { panic!() };
    assert_eq!(thrown.message, "from the recipe");
    assert!(thrown.stack[0].contains("(recipe-3:2:"), "{:?}", thrown.stack);
    assert!(
        matches!(with_recipes("await recipes(5)"), Err(EvalError::Thrown(thrown)) if thrown.message.starts_with("recipe 5 does not compile"))
    );
}

#[test]
fn a_recipe_shares_its_callers_time() {
    for body in ["await recipes(4)", "try { await recipes(4) } catch { return 1 }"] {
        let outcome = with_recipes_within(HASTY, body);
        assert!(matches!(outcome, Err(EvalError::Timeout { .. })), "{body}: {outcome:?}");
    }
}

#[test]
fn every_shipped_recipe_answers_the_same_when_called_and_when_run() {
    let evaluator = Evaluator::new(Arc::new(Reader::new(graph())), EvaluatorOptions::default());
    for recipe in sdp_recipes::CATALOG {
        let own = evaluator.run(job(recipe.body)).unwrap_or_else(|error| panic!("recipe {}: {error:?}", recipe.number));
        let called = evaluator.run(job(&format!("return recipes({})", recipe.number))).unwrap();
        assert_eq!(called.json_text(), own.json_text(), "recipe {}", recipe.number);
        assert_eq!(called.render(), own.render(), "recipe {}", recipe.number);
    }
}
