//! What a condition of `cfg` says about tests: its text comes in, whether it holds in them alone goes out. It does not recurse,
//! and a text that is no condition says nothing.

use super::super::tokens::{Kind, Tokens};

/// An operator whose arms are open.
#[derive(Clone, Copy)]
struct Level {
    operator: Operator,
    /// What its arms so far make of it.
    is_for_tests: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    All,
    Any,
    /// `not`, or one that is not known.
    Other,
}

impl Level {
    fn of(name: &str) -> Self {
        let operator = match name {
            "all" => Operator::All,
            "any" => Operator::Any,
            _ => Operator::Other,
        };
        Level { operator, is_for_tests: operator == Operator::Any }
    }

    fn take(&mut self, arm: Option<bool>) {
        match (self.operator, arm) {
            (Operator::All, Some(arm)) => self.is_for_tests |= arm,
            (Operator::Any, Some(arm)) => self.is_for_tests &= arm,
            (Operator::Other, _) | (_, None) => {}
        }
    }
}

/// Whether a condition holds for tests alone: it is `test`, or `all` with such an arm, or `any` with no other arm.
pub(super) fn is_for_tests(condition: &str) -> bool {
    let mut last = Level::of("all");
    let mut around: Vec<Level> = Vec::new();
    let (mut arm, mut name) = (None, "");
    for token in Tokens::new(condition) {
        match token.kind {
            Kind::Word => {
                name = condition.get(token.range).unwrap_or_default();
                arm = Some(name == "test");
            }
            Kind::Punct(',') => last.take(arm.take()),
            // `test = "…"` is another condition.
            Kind::Punct('=') => arm = Some(false),
            Kind::Open(_) => {
                around.push(std::mem::replace(&mut last, Level::of(name)));
                arm = None;
            }
            Kind::Close(_) => {
                last.take(arm.take());
                let Some(outer) = around.pop() else { return false };
                arm = Some(std::mem::replace(&mut last, outer).is_for_tests);
            }
            _ => {}
        }
    }
    last.take(arm);
    around.is_empty() && last.is_for_tests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_in_tests_alone_is_told_from_what_may_hold_elsewhere() {
        for condition in
            ["test", "all(test, not(miri))", "all(unix, any(test,),)", "any(test, all(x, test))", "all(all(test))"]
        {
            assert!(is_for_tests(condition), "{condition}");
        }
        for condition in [
            "",
            "not(test)",
            "any(test, feature = \"x\")",
            "any(feature = \"test\", test)",
            "not(not(test))",
            "all(unix, not(test))",
            "testing",
            "test = \"x\"",
            "all(test",
            "test)",
            "x(test)",
        ] {
            assert!(!is_for_tests(condition), "{condition}");
        }
        let deep = format!("{}test{}", "all(".repeat(100_000), ")".repeat(100_000));
        assert!(is_for_tests(&deep));
    }
}
