use std::sync::Mutex;

use super::*;

fn lines(body: &str) -> Vec<(ConsoleStream, String)> {
    let answer = evaluator().run(job(body)).unwrap();
    answer.console().iter().map(|line| (line.stream, line.text.clone())).collect()
}

fn out(text: &str) -> (ConsoleStream, String) {
    (ConsoleStream::Out, text.to_owned())
}

fn err(text: &str) -> (ConsoleStream, String) {
    (ConsoleStream::Err, text.to_owned())
}

#[test]
fn console_lines_are_kept_in_order() {
    assert_eq!(
        lines(
            "console.log('a', 1, { b: [2] }); console.error('e'); console.info('i'); console.warn('w'); console.debug('d'); console.log()"
        ),
        [out("a 1 { b: [ 2 ] }"), err("e"), out("i"), err("w"), out("d"), out("")]
    );
    assert_eq!(lines("console.log('%s is %d', 'x', 5)"), [out("x is 5")]);
    assert_eq!(lines("const { log } = console; log(graph.edges[0].to)"), [out("spec:b")]);
}

#[test]
fn the_rest_of_console_is_there() {
    assert_eq!(
        lines(
            "console.group('one'); console.log('two\\nthree'); console.groupEnd(); console.log('four'); console.groupEnd()"
        ),
        [out("one"), out("  two\n  three"), out("four")]
    );
    assert_eq!(
        lines("console.count(); console.count('x'); console.count(); console.countReset(); console.count()"),
        [out("default: 1"), out("x: 1"), out("default: 2"), out("default: 1")]
    );
    assert_eq!(
        lines("console.assert(true, 'no'); console.assert(false, 'yes', 1); console.assert(false)"),
        [err("Assertion failed: yes 1"), err("Assertion failed")]
    );
    assert_eq!(
        lines("console.table([1]); console.dir({ a: 1 }); console.dirxml(2); console.clear(); console.trace('t')"),
        [out("[ 1 ]"), out("{ a: 1 }"), out("2"), err("Trace: t")]
    );
    let body = "for (const name of Object.keys(console)) console[name](); return Object.keys(console).length";
    assert_eq!(json(body), 19);
    assert_eq!(lines("console.time(); console.timeEnd()").len(), 1);
}

#[test]
fn console_can_be_passed_on_at_once() {
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let sink = Arc::clone(&heard);
    let console = Console::Pass(Arc::new(move |stream, text| sink.lock().unwrap().push(format!("{stream:?} {text}"))));
    let evaluator = Evaluator::new(Arc::new(Reader::new(graph())), EvaluatorOptions { console, ..within(HASTY) });
    let outcome = evaluator.run(job("console.log('a'); console.error('b'); while (true) {}"));
    assert!(matches!(outcome, Err(EvalError::Timeout { .. })));
    assert_eq!(*heard.lock().unwrap(), ["Out a", "Err b"]);
    let answer = evaluator.run(job("console.log('c'); return 1")).unwrap();
    assert_eq!(answer.console(), []);
    assert_eq!(heard.lock().unwrap().len(), 3);
}

#[test]
fn kept_output_is_bounded() {
    let answer =
        evaluator().run(job("for (let i = 0; i < 100; i++) console.log('x'.repeat(100000)); return 1")).unwrap();
    assert_eq!(answer.console().len(), 42);
    assert_eq!(answer.console().last().unwrap().text, "… more console output was dropped");
}

#[test]
fn a_value_that_cannot_be_printed_throws_in_the_body() {
    let body = "console.log({ [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('no text') } })";
    assert_eq!(thrown(body).message, "no text");
}
