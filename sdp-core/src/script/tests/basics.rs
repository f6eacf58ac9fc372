use super::*;

#[test]
fn a_body_returns_its_value() {
    let answer = evaluator().run(job("return { a: 1, b: [g.specs().length, graph.nodes.length] }")).unwrap();
    assert!(!answer.is_undefined());
    assert_eq!(answer.json_text().unwrap(), "{\n  \"a\": 1,\n  \"b\": [\n    0,\n    3\n  ]\n}");
    assert_eq!(answer.render().unwrap(), "{ a: 1, b: [ 0, 3 ] }");
}
