//! The pinned reader, held against clap's definition and against the contract's order.

use std::collections::BTreeMap;
use std::time::Duration;

use clap::CommandFactory as _;

use super::*;
use crate::cli::Cli;

fn run(tokens: &[&str]) -> QArgs {
    match parse(tokens.iter().map(OsString::from)) {
        Ok(Parsed::Run(args)) => args,
        other => panic!("{tokens:?} gave {other:?}"),
    }
}

fn refused(tokens: &[&str]) -> String {
    match parse(tokens.iter().map(OsString::from)) {
        Err(refusal) => refusal.line("q"),
        other => panic!("{tokens:?} gave {other:?}"),
    }
}

#[test]
fn the_reader_and_the_help_know_the_same_options() {
    let mut cli = Cli::command();
    cli.build();
    let q = cli.find_subcommand("q").unwrap();
    let in_help: BTreeMap<String, bool> = q
        .get_arguments()
        .filter_map(|argument| Some((format!("--{}", argument.get_long()?), argument.get_action().takes_values())))
        .collect();
    let in_reader: BTreeMap<String, bool> = WITH_VALUE
        .iter()
        .map(|(flag, _)| ((*flag).to_owned(), true))
        .chain(WITHOUT_VALUE.iter().map(|flag| ((*flag).to_owned(), false)))
        .collect();
    assert_eq!(in_reader, in_help);
}

#[test]
fn clap_and_the_reader_take_the_same_line_alike() {
    let line = [
        "--root",
        "a",
        "--exclude",
        "b",
        "--exclude=c",
        "--params={}",
        "--json",
        "--timeout",
        "0.5",
        "--memory=2",
        "--deterministic",
        "--color",
        "never",
        "--quiet",
        "return 1",
    ];
    let read = run(&line);
    let words = ["cargo-sdp", "q"].into_iter().chain(line);
    let crate::cli::Command::Q(parsed) = <Cli as clap::Parser>::try_parse_from(words).unwrap().command else {
        panic!("not q")
    };
    assert_eq!(format!("{read:?}"), format!("{parsed:?}"));
    assert_eq!(read.limits.timeout, Some(Duration::from_millis(500)));
    assert_eq!(read.limits.memory, Some(2 << 20));
}

#[test]
fn every_fault_has_its_line() {
    for (tokens, line) in [
        (&["--no"][..], "sdp q: unknown option --no"),
        (&["--json=1"], "sdp q: unknown option --json=1"),
        (&["a", "b"], "sdp q takes at most one body argument."),
        (&["--", "a", "--json"], "sdp q takes at most one body argument."),
        (&["--root"], "sdp q: --root requires a path."),
        (&["--exclude"], "sdp q: --exclude requires a path."),
        (&["--root", "--json"], "sdp q: --root expects a path, got --json"),
        (&["--exclude", "--json"], "sdp q: --exclude expects a path, got --json"),
        (&["--root", "a", "--root", "b"], "sdp q takes at most one --root."),
        (&["--manifest-path"], "sdp q: --manifest-path requires a path."),
        (&["--manifest-path", "--json"], "sdp q: --manifest-path expects a path, got --json"),
        (&["--manifest-path", "a", "--manifest-path=b"], "sdp q takes at most one --manifest-path."),
        (&["--color"], "sdp q: --color requires auto, always or never."),
        (&["--color="], "sdp q: --color requires auto, always or never."),
        (&["--color", "Never"], "sdp q: --color expects auto, always or never, got Never"),
        (&["--color=auto", "--color=auto"], "sdp q takes at most one --color."),
        (&["--quiet=1"], "sdp q: unknown option --quiet=1"),
        (&["--params"], "sdp q: --params requires a JSON value or @PATH."),
        (&["--params", "--json"], "sdp q: --params expects a JSON value or @PATH, got --json"),
        (&["--timeout"], "sdp q: --timeout requires a number of seconds from 0.001 to 3600."),
        (&["--timeout", "NaN"], "sdp q: --timeout expects a number of seconds from 0.001 to 3600, got NaN"),
        (&["--timeout", "0"], "sdp q: --timeout expects a number of seconds from 0.001 to 3600, got 0"),
        (&["--timeout=-1"], "sdp q: --timeout expects a number of seconds from 0.001 to 3600, got -1"),
        (&["--memory", "0"], "sdp q: --memory expects a whole number of megabytes from 1 to 16384, got 0"),
        (&["--memory=1.5"], "sdp q: --memory expects a whole number of megabytes from 1 to 16384, got 1.5"),
        (&["--memory", "1", "--memory", "1"], "sdp q takes at most one --memory."),
    ] {
        assert_eq!(refused(tokens), line, "{tokens:?}");
    }
}

#[test]
fn the_first_fault_from_the_left_wins() {
    assert_eq!(refused(&["--no", "--root"]), "sdp q: unknown option --no");
    assert_eq!(refused(&["a", "b", "--no"]), "sdp q takes at most one body argument.");
}

#[test]
fn a_token_with_one_dash_is_a_body_and_a_double_dash_ends_the_options() {
    for body in ["-1", "-q", "-v", "-D"] {
        let args = run(&[body]);
        assert_eq!(args.body.as_deref(), Some(body));
        assert!(!args.common.output.quiet && !args.common.output.verbose);
    }
    assert!(run(&["--verbose", "a"]).common.output.verbose);
    assert_eq!(run(&["--json", "--", "--i"]).body.as_deref(), Some("--i"));
    assert_eq!(run(&["--root=--odd"]).common.root, Some("--odd".into()));
    assert_eq!(run(&["--"]).body, None);
}

#[test]
fn help_is_help_wherever_no_fault_stands_before_it() {
    assert!(matches!(parse(["a".into(), "--help".into(), "--no".into()]), Ok(Parsed::Help(true))));
    assert!(matches!(parse(["-h".into()]), Ok(Parsed::Help(false))));
    assert_eq!(refused(&["--no", "--help"]), "sdp q: unknown option --no");
}

#[test]
fn a_near_miss_is_named() {
    for (token, meant) in [("--jsn", "--json"), ("--rot=/a/long/path", "--root")] {
        let refusal = parse([token.into()]).unwrap_err();
        assert!(
            matches!(refusal, Refusal::UnknownOption { nearest: Some(nearest), .. } if nearest == meant),
            "{refusal:?}"
        );
    }
}
