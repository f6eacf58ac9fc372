use super::*;

fn fixed() -> Evaluator {
    Evaluator::new(Arc::new(Reader::new(graph())), EvaluatorOptions { deterministic: true, ..options() })
}

fn says(body: &str) -> serde_json::Value {
    fixed().run(job(body)).unwrap_or_else(|error| panic!("{body}: {error:?}")).to_json().unwrap()
}

#[test]
fn the_clock_stands() {
    for (body, value) in [
        ("return Date.now()", serde_json::json!(946_684_800_000_i64)),
        ("return new Date()", serde_json::json!("2000-01-01T00:00:00.000Z")),
        ("return Date()", serde_json::json!("Sat Jan 01 2000 00:00:00 GMT+0000 (Coordinated Universal Time)")),
        (
            "return `${new Date(0)}`",
            serde_json::json!("Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)"),
        ),
        ("return typeof performance", serde_json::json!("undefined")),
        (
            "return [new Date() instanceof Date, new Date(5).constructor === Date, Date.name, Date.length]",
            serde_json::json!([true, true, "Date", 7]),
        ),
        (
            "return new (class D extends Date { ok() { return this.getTime() } })().ok()",
            serde_json::json!(946_684_800_000_i64),
        ),
    ] {
        assert_eq!(says(body), value, "{body}");
    }
}

#[test]
fn explicit_dates_work_and_local_time_is_utc() {
    for (body, value) in [
        ("return new Date('2024-02-29')", serde_json::json!("2024-02-29T00:00:00.000Z")),
        ("return new Date('2024-02-29T12:00:00')", serde_json::json!("2024-02-29T12:00:00.000Z")),
        ("return new Date('2024-02-29T12:00:00+02:00')", serde_json::json!("2024-02-29T10:00:00.000Z")),
        ("return new Date('2024-02-29T12:00:00Z')", serde_json::json!("2024-02-29T12:00:00.000Z")),
        ("return new Date('Thu, 29 Feb 2024 12:00:00 GMT')", serde_json::json!("2024-02-29T12:00:00.000Z")),
        ("return new Date(2024, 1, 29, 12)", serde_json::json!("2024-02-29T12:00:00.000Z")),
        ("return new Date(new Date(7)).getTime()", serde_json::json!(7)),
        ("return new Date(0).getTimezoneOffset()", serde_json::json!(0)),
        (
            "return [new Date(0).getHours(), new Date(0).getDate(), new Date(0).getFullYear(), new Date(0).getYear()]",
            serde_json::json!([0, 1, 1970, 70]),
        ),
        ("const d = new Date(0); d.setHours(5); return d", serde_json::json!("1970-01-01T05:00:00.000Z")),
        ("return Date.parse('1970-01-01T00:00:01')", serde_json::json!(1000)),
        (
            "return [String(new Date(NaN)), new Date('x').getTimezoneOffset()]",
            serde_json::json!(["Invalid Date", null]),
        ),
        ("return Date.UTC(1970, 0, 1, 0, 0, 1)", serde_json::json!(1000)),
        ("return new Date(0) - new Date(1)", serde_json::json!(-1)),
    ] {
        assert_eq!(says(body), value, "{body}");
    }
}

#[test]
fn random_numbers_are_the_same_in_each_body() {
    let body = "return [Math.random(), Math.random(), Math.random()]";
    let evaluator = fixed();
    let first = evaluator.run(job(body)).unwrap().to_json().unwrap();
    assert_eq!(evaluator.run(job(body)).unwrap().to_json().unwrap(), first);
    assert_eq!(says(body), first);
    let numbers: Vec<f64> = first.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect();
    assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)) && numbers[0] != numbers[1]);
}

#[test]
fn otherwise_the_clock_runs() {
    assert_eq!(json("return Date.now() > 1.7e12 && new Date() > new Date(1.7e12)"), true);
    let body = "return [Math.random(), Math.random()]";
    assert_ne!(json(body), json(body));
}

#[test]
fn a_standing_date_renders_as_a_date() {
    assert_eq!(
        fixed().run(job("return [new Date(), Date]")).unwrap().render().unwrap(),
        "[ 2000-01-01T00:00:00.000Z, [Function: Date] ]"
    );
}
