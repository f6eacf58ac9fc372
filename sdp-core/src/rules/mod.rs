//! Rules: rule files, configured rules, recipes and checks come in as one plan of cases, each case's outcome goes out.
//! A rule judges the corpus and changes nothing in it: it reads the derived graph, and its findings stand apart from the
//! engine's own. Nothing here prints or knows an exit code (newest sheet part 15).

mod body;
mod cases;
mod engine;
mod finding;
mod head;
mod judge;
mod lines;
pub mod name;
mod packages;
mod plan;
mod stations;
mod subject;
#[cfg(test)]
mod tests;

pub use body::{BodyError, is_body_file};
pub use cases::{case_of, case_of_id};
pub use engine::{BodyText, CaseError, Engine, EngineOptions, Outcome, Verdict};
pub use finding::{Place, RuleFinding, RuleFindings};
pub use head::HeadError;
pub use judge::{Judgement, Problem, RowProblem, Terms, judge};
pub use lines::line_of;
pub use packages::{PackageError, Packages};
pub use plan::{
    BASELINE_CASE, BodyTask, CARRIERS_CASE, CONTRACTS_CASE, Case, Plan, PlanError, RulePlaces, Source, Task,
    WAIVERS_CASE, engine_cases, faults_of, plan, plan_faults, rule_places,
};
pub use subject::{Subject, Subjects};
