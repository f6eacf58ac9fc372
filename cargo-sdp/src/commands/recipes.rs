//! `recipes`: the shipped catalog. A number comes in; what a recipe says of itself, its body, or its answer over the graph
//! goes out. Listing and showing read nothing of the repository.

use std::collections::BTreeMap;

use sdp_core::suggest::first_nearest;
use sdp_recipes::{CATALOG, FIRST_OWN, Recipe};
use serde_json::{Value, json};

use crate::errors::{Exit, Refusal};
use crate::evaluate::{self, LimitArgs, Question};
use crate::output::Output;
use crate::params;
use crate::root::{self, CommonArgs};

/// The arguments of `recipes`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "List, show and run the shipped recipes: questions that somebody already wrote down",
    long_about = "\
List, show and run the shipped recipes: questions to the graph that somebody already wrote down.

A recipe is a body like those of `cargo sdp q`. Without its parameters it answers for a sample or for the \
empty value.",
    after_help = "\
Examples:
  cargo sdp recipes
  cargo sdp recipes show 26
  cargo sdp recipes run 3 --params '{\"spec\":\"spec:checkout.pay\"}' --json

Exit codes: 0 fine; 1 a refusal or a recipe that fails; 2 usage."
)]
pub(crate) struct RecipesArgs {
    /// What to do; `list` by default.
    #[command(subcommand)]
    pub(crate) action: Option<Action>,
    /// Where to look; only `run` does.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// What can be done with recipes.
#[derive(Clone, Debug, clap::Subcommand)]
pub(crate) enum Action {
    /// List the catalog: number, slug, title, what each recipe answers and takes [default]
    List {
        /// Print the catalog as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the body of a recipe, with its head
    Show {
        /// The number in the catalog, or the slug
        #[arg(value_name = "N")]
        recipe: String,
    },
    /// Run a recipe over the graph and print its answer
    Run(RunArgs),
}

/// The arguments of `recipes run`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// The number in the catalog, or the slug
    #[arg(value_name = "N")]
    recipe: String,
    /// Parameters of the recipe, may be repeated: a JSON object, @PATH of a file with one, or KEY=@PATH for a file with any
    /// JSON value
    #[arg(long, value_name = "JSON|@PATH|KEY=@PATH")]
    params: Vec<String>,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
    /// What the recipe may use.
    #[command(flatten)]
    limits: LimitArgs,
}

/// Lists, shows or runs.
pub(crate) fn run(args: &RecipesArgs, output: &mut Output) -> Result<Exit, Refusal> {
    match &args.action {
        None | Some(Action::List { json: false }) => output.out(&listing()),
        Some(Action::List { json: true }) => output.out_line(&format!("{:#}", catalog())),
        Some(Action::Show { recipe }) => {
            let body = find(recipe)?.body;
            output.out(body);
            if !body.ends_with('\n') {
                output.out("\n");
            }
        }
        Some(Action::Run(run)) => {
            let recipe = find(&run.recipe)?;
            let workspace = root::load(&args.common)?;
            let params = params::merge(&run.params, &workspace.cwd).map_err(Refusal::Params)?;
            let body = recipe.body.to_owned();
            return evaluate::answer(
                &workspace,
                Question { command: "recipes", body, params, json: run.json, limits: &run.limits },
                output,
            );
        }
    }
    Ok(Exit::Fine)
}

/// The recipe with a number, a slug, or both.
pub(crate) fn find(name: &str) -> Result<&'static Recipe, Refusal> {
    // `26`, `dependency-cycles`, or both as `rules` prints them: `26-dependency-cycles`.
    let (number, slug) = match name.split_once('-') {
        Some((number, slug)) if number.parse::<u32>().is_ok() => (number.parse::<u32>().ok(), Some(slug)),
        _ => (name.parse::<u32>().ok(), None),
    };
    CATALOG
        .iter()
        .find(|recipe| {
            recipe.slug == name || (Some(recipe.number) == number && slug.is_none_or(|slug| recipe.slug == slug))
        })
        .ok_or_else(|| {
            let slugs = CATALOG.iter().map(|recipe| recipe.slug);
            let nearest = first_nearest(slug.unwrap_or(name), slugs, 2).map(str::to_owned);
            Refusal::UnknownRecipe { name: name.to_owned(), nearest }
        })
}

fn listing() -> String {
    let mut page = String::new();
    for recipe in CATALOG {
        if recipe.number == FIRST_OWN {
            page.push_str(&format!("\nours, from {FIRST_OWN}:\n"));
        }
        let head = recipe.head();
        let title = head.title.unwrap_or(recipe.slug);
        page.push_str(&format!("{:>3}  {} — {title}\n", recipe.number, recipe.slug));
        if let Some(description) = head.description.first() {
            page.push_str(&format!("     {description}\n"));
        }
        if !head.params.is_empty() {
            page.push_str(&format!("     parameters: {}\n", head.params.join(", ")));
        }
        if !head.needs.is_empty() {
            page.push_str(&format!("     needs: {}\n", head.needs.join(", ")));
        }
    }
    page
}

/// The catalog as JSON.
pub(crate) fn catalog() -> Value {
    let row = |recipe: &Recipe| {
        let head = recipe.head();
        json!({
            "number": recipe.number,
            "slug": recipe.slug,
            "title": head.title.unwrap_or(recipe.slug),
            "description": head.description.join(" "),
            "own": recipe.is_own(),
            "params": head.params,
            "takes": head.takes.iter().copied().collect::<BTreeMap<_, _>>(),
            "needs": head.needs,
            "gives": head.gives.join(" "),
        })
    };
    CATALOG.iter().map(row).collect()
}
