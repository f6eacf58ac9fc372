//! The sources of a corpus: a family comes in, one Rust file that binds its Specs, or one that binds nothing, goes out. The
//! random numbers are drawn in the order of the Python generator.

use std::io;

use super::{Family, Sink, WORDS, sentence};
use crate::python_random::PythonRandom;

/// How many statements a source without anchors has.
const STATEMENTS: usize = 60;
/// How many examples have a test.
const TESTS: usize = 3;

impl Family {
    /// Hands the file to `sink` that binds the feature, its first rule and its first examples.
    pub(super) fn anchored_source(&self, random: &mut PythonRandom, sink: &mut Sink<'_>) -> io::Result<()> {
        let name = &self.name;
        let mut text = String::new();
        for (number, (spec, unit)) in [("flow", "flow"), ("rule-0", "rule")].into_iter().enumerate() {
            let label = sentence(random, 4);
            text.push_str(&format!(
                "#[sdp::satisfies(\"spec:{name}.{spec}\", id = \"impl:{name}.{unit}\", label = \"{label}\")]\n\
                 pub fn f{number}() -> u32 {{\n    {number}\n}}\n\n"
            ));
        }
        text.push_str("#[cfg(test)]\nmod tests {\n");
        for case in 0..TESTS {
            text.push_str(&format!(
                "    #[sdp::verifies(\"spec:{name}.flow.case-{case}\", id = \"test:{name}.case-{case}\")]\n    #[test]\n    \
                 fn t{case}() {{\n        assert_eq!(super::f0(), 0);\n    }}\n\n"
            ));
        }
        text.push_str("}\n");
        sink(&format!("src/{name}.rs"), &text)
    }

    /// Hands one file to `sink` that binds nothing.
    pub(super) fn plain_source(&self, random: &mut PythonRandom, number: usize, sink: &mut Sink<'_>) -> io::Result<()> {
        let name = &self.name;
        let mut text = format!("pub fn {name}{number}() -> u32 {{\n");
        for statement in 0..STATEMENTS {
            let word = random.choice(&WORDS);
            let summand = random.randrange::<0, 1000>();
            text.push_str(&format!("    let {word}_{statement} = {statement} + {summand};\n"));
        }
        text.push_str("    0\n}\n");
        sink(&format!("src/{name}/noise{number}.rs"), &text)
    }
}
