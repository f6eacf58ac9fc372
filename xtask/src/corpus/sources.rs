//! The sources of a corpus: a family comes in, one file of Rust or TypeScript that binds its Specs, or one that binds nothing,
//! goes out. The random numbers are drawn in the order of the Python generator.

use std::io;

use super::{Anchors, Family, Sink, WORDS, sentence};
use crate::python_random::PythonRandom;

/// How many statements a source without anchors has.
const STATEMENTS: usize = 60;
/// How many examples have a test.
const TESTS: usize = 3;
/// What the code of a family satisfies: the Spec, and the unit that does, both below the family's name.
const UNITS: [(&str, &str); 2] = [("flow", "flow"), ("rule-0", "rule")];

impl Family {
    /// Hands the file of Rust to `sink` that binds the feature, its first rule and its first examples.
    pub(super) fn bound_rust(&self, random: &mut PythonRandom, sink: &mut Sink<'_>) -> io::Result<()> {
        let name = &self.name;
        let mut text = String::new();
        for (number, (spec, unit)) in UNITS.into_iter().enumerate() {
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

    /// Hands the file of TypeScript to `sink` that binds the same.
    pub(super) fn bound_typescript(&self, random: &mut PythonRandom, sink: &mut Sink<'_>) -> io::Result<()> {
        let name = &self.name;
        let mut text = String::from(
            "import { codeAnchor, codeAnchorId, ref, specTest, testAnchorId } from \"@libar-dev/software-delivery-protocol\";\n\n",
        );
        for (number, (spec, unit)) in UNITS.into_iter().enumerate() {
            let label = sentence(random, 4);
            text.push_str(&format!(
                "const a{number} = codeAnchor({{\n  id: codeAnchorId(\"impl:{name}.{unit}\"),\n  label: \"{label}\",\n  \
                 satisfies: ref(\"spec:{name}.{spec}\"),\n}});\nvoid a{number};\n\n"
            ));
        }
        for case in 0..TESTS {
            let label = sentence(random, 4);
            text.push_str(&format!(
                "const t{case} = specTest({{\n  id: testAnchorId(\"test:{name}.case-{case}\"),\n  label: \"{label}\",\n  \
                 verifies: ref(\"spec:{name}.flow.case-{case}\"),\n}});\nvoid t{case};\n\n"
            ));
        }
        sink(&format!("src/{name}.ts"), &text)
    }

    /// Hands one file to `sink` that binds nothing. It is Rust unless the anchors are TypeScript.
    pub(super) fn plain_source(
        &self,
        random: &mut PythonRandom,
        anchors: Anchors,
        number: usize,
        sink: &mut Sink<'_>,
    ) -> io::Result<()> {
        let name = &self.name;
        let (head, tail, ending) = match anchors {
            Anchors::TypeScript => {
                (format!("export function {name}{number}(): number {{\n"), "    return 0;\n}\n", "ts")
            }
            Anchors::None | Anchors::Rust => (format!("pub fn {name}{number}() -> u32 {{\n"), "    0\n}\n", "rs"),
        };
        let mut text = head;
        for statement in 0..STATEMENTS {
            let word = random.choice(&WORDS);
            let summand = random.randrange::<0, 1000>();
            text.push_str(&format!("    let {word}_{statement} = {statement} + {summand};\n"));
        }
        text.push_str(tail);
        sink(&format!("src/{name}/noise{number}.{ending}"), &text)
    }
}
