use super::*;

#[test]
fn everything_public_crosses_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<Evaluator>();
    crosses::<EvaluatorOptions>();
    crosses::<Answer>();
    crosses::<EvalError>();
    crosses::<Job>();
}

#[test]
fn evaluators_over_one_reader_run_side_by_side() {
    let reader = Arc::new(Reader::new(graph()));
    let evaluators = [(); 2].map(|()| Evaluator::new(Arc::clone(&reader), options()));
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..8)
            .map(|number| {
                let evaluator = &evaluators[number % 2];
                scope.spawn(move || {
                    let answer = evaluator.run(job(&format!("return [{number}, graph.nodes.length]"))).unwrap();
                    assert_eq!(answer.to_json().unwrap(), serde_json::json!([number, 3]));
                })
            })
            .collect();
        for run in runs {
            run.join().unwrap();
        }
    });
    assert!(evaluators.iter().all(|one| matches!(one.run(job("return )")), Err(EvalError::Parse { .. }))));
}

#[test]
fn a_dropped_evaluator_lets_go_of_the_reader() {
    let reader = Arc::new(Reader::new(graph()));
    let evaluator = Evaluator::new(Arc::clone(&reader), options());
    evaluator.run(job("return graph.nodes.length")).unwrap();
    drop(evaluator);
    assert_eq!(Arc::strong_count(&reader), 1);
}

#[test]
fn an_evaluator_outlives_a_thousand_bodies() {
    let evaluator = evaluator();
    for number in 0..1000 {
        let body = format!("const a = {{}}; a.a = a; return graph.nodes.length + {number}");
        assert_eq!(evaluator.run(job(&body)).unwrap().to_json().unwrap(), number + 3);
    }
}
