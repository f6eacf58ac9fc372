//! `cargo sdp unbound`: what no anchor binds, and what a baseline makes of it.

use sdp_tests::Repo;
use serde_json::{Value, json};

fn shop() -> Repo {
    Repo::new()
        .file("Cargo.toml", "[workspace]\nmembers = ['core', 'tool']\n")
        .file("core/Cargo.toml", "[package]\nname = 'shop-core'\nedition = '2024'\n")
        .file(
            "core/src/lib.rs",
            "pub mod orders;\n\npub fn refund() {}\npub(crate) fn private() {}\n#[cfg(test)]\nmod tests;\n",
        )
        .file("core/src/orders.rs", "pub struct Order;\nimpl Order {\n    pub fn total(&self) {}\n}\n")
        .file("core/src/tests.rs", "pub fn shared() {}\n#[test]\nfn it_refunds() {}\n")
        .file("core/src/lost.rs", "pub fn lost() {}\n")
        .file("core/tests/orders.rs", "#[test]\nfn an_order_is_placed() {}\n")
        .file("tool/Cargo.toml", "[package]\nname = 'tool'\nedition = '2024'\n")
        .file("tool/src/main.rs", "pub fn not_of_a_library() {}\nfn main() {}\n")
}

const PAGE: &str = "\
shop-core: 3 of 3 public items and 2 of 2 tests are unbound
  core/src/lib.rs:3 fn shop_core::refund
  core/src/orders.rs:1 struct shop_core::orders::Order
  core/src/orders.rs:3 method shop_core::orders::Order::total
  core/src/tests.rs:3 test shop_core::tests::it_refunds
  core/tests/orders.rs:2 test orders::an_order_is_placed
tool: 0 of 0 public items and 0 of 0 tests are unbound
";

const ROWS: &str = "
shop-core fn shop_core::refund
shop-core method shop_core::orders::Order::total
shop-core struct shop_core::orders::Order
shop-core test orders::an_order_is_placed
shop-core test shop_core::tests::it_refunds
";

#[test]
#[sdp::verifies("spec:sdp.unbound")]
fn public_items_and_tests_without_an_anchor_are_listed_package_by_package() {
    let run = shop().sdp(["unbound"]);
    assert_eq!((run.stderr.as_str(), run.stdout.as_str(), run.code), ("", PAGE, Some(0)));
}

#[test]
fn the_list_is_json_on_demand() {
    let run = shop().sdp(["unbound", "--json"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    let core = &answer["packages"][0];
    assert_eq!(core["name"], "shop-core");
    assert_eq!(core["publicItems"], json!({ "total": 3, "unbound": 3 }));
    assert_eq!(core["tests"], json!({ "total": 2, "unbound": 2 }));
    assert_eq!(
        core["items"][0],
        json!({ "file": "core/src/lib.rs", "line": 3, "kind": "fn", "path": "shop_core::refund" })
    );
    assert_eq!(answer.as_object().unwrap().len(), 1);
    assert_eq!(shop().sdp(["unbound", "--json"]), run, "the same for the same tree");
}

#[test]
fn a_baseline_that_is_written_accepts_what_is_unbound() {
    let repo = shop();
    let run = repo.sdp(["unbound", "--baseline", "unbound.txt", "--update-baseline"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(0)), "{}", run.stderr);
    assert!(run.stderr.starts_with("Wrote ") && run.stderr.ends_with("unbound.txt (5 rows)\n"), "{}", run.stderr);
    let text = std::fs::read_to_string(repo.path("unbound.txt")).unwrap();
    assert!(text.starts_with("# ") && text.ends_with(ROWS), "{text}");
    let run = repo.sdp(["unbound", "--baseline", "unbound.txt"]);
    assert_eq!((run.stderr.as_str(), run.stdout.as_str(), run.code), ("", "", Some(0)));
    // Lines do not matter.
    repo.write("core/tests/orders.rs", "\n\n\n#[test]\nfn an_order_is_placed() {}\n");
    assert_eq!(repo.sdp(["unbound", "--baseline", "unbound.txt"]), run);
}

#[test]
#[sdp::verifies("spec:sdp.unbound")]
fn what_is_new_and_what_matches_nothing_fails_until_the_baseline_is_updated() {
    let repo = shop().file("unbound.txt", format!("# ours\n{ROWS}# gone soon\nshop-core fn shop_core::gone\n"));
    let run = repo.sdp(["unbound", "--baseline", "unbound.txt"]);
    assert_eq!((run.stdout.as_str(), run.code), ("stale: shop-core fn shop_core::gone\n", Some(1)));
    assert_eq!(
        run.stderr,
        "sdp unbound: 1 row of the baseline without a match.\nhint: `--update-baseline` writes the rows of today into the baseline\n"
    );
    repo.write("core/tests/more.rs", "#[test]\nfn more() {}\n");
    let run = repo.sdp(["unbound", "--baseline", "unbound.txt"]);
    assert_eq!(
        (run.stdout.as_str(), run.code),
        ("new: core/tests/more.rs:2 test more::more\nstale: shop-core fn shop_core::gone\n", Some(1))
    );
    assert!(
        run.stderr.starts_with("sdp unbound: 1 row beyond the baseline, 1 row of it without a match.\nhint: "),
        "{}",
        run.stderr
    );
    let run = repo.sdp(["unbound", "--baseline", "unbound.txt", "--json"]);
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    let expected = json!({ "new": ["shop-core test more::more"], "stale": ["shop-core fn shop_core::gone"] });
    assert_eq!((&answer["baseline"], run.code), (&expected, Some(1)));
    assert_eq!(repo.sdp(["unbound", "--baseline", "unbound.txt", "--update-baseline"]).code, Some(0));
    let text = std::fs::read_to_string(repo.path("unbound.txt")).unwrap();
    assert!(text.starts_with("# ours\n\n") && text.contains("more::more\n") && !text.contains("gone"), "{text}");
    assert_eq!(repo.sdp(["unbound", "--baseline", "unbound.txt"]).code, Some(0));
}

#[test]
fn a_baseline_that_cannot_be_read_or_written_is_refused_with_a_hint() {
    let repo = shop();
    let run = repo.sdp(["unbound", "--baseline", "none.txt"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
    assert!(
        run.stderr.contains("could not be read (") && run.stderr.contains("\nhint: `--update-baseline`"),
        "{}",
        run.stderr
    );
    let run = repo.sdp(["unbound", "--baseline", "core", "--update-baseline"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("could not be read (it is a folder)"), "{}", run.stderr);
    for file in ["Cargo.toml", "core/src/lib.rs"] {
        let before = std::fs::read_to_string(repo.path(file)).unwrap();
        let run = repo.sdp(["unbound", "--baseline", file, "--update-baseline"]);
        assert_eq!(run.code, Some(1), "{file}");
        assert!(
            run.stderr.contains("is not written over: most of its lines are no rows of a baseline"),
            "{}",
            run.stderr
        );
        assert_eq!(std::fs::read_to_string(repo.path(file)).unwrap(), before);
    }
    let run = repo.sdp(["unbound", "--baseline", ""]);
    assert_eq!((run.stderr.lines().next(), run.code), (Some("sdp unbound: --baseline requires a path."), Some(1)));
    assert_eq!(repo.sdp(["unbound", "--update-baseline"]).code, Some(2), "it needs a baseline");
}

#[test]
#[sdp::verifies("spec:sdp.unbound")]
fn a_file_that_does_not_parse_is_an_error_and_leaves_its_siblings() {
    let repo = shop().file("core/src/orders.rs", "pub struct Order;\nfn a( {\n");
    let run = repo.sdp(["unbound"]);
    assert_eq!(
        run.stderr,
        "core/src/orders.rs:2 — [error] extract/parse-error — the brackets of the file do not match, so its items are not known\n"
    );
    assert!(run.stdout.starts_with("shop-core: 1 of 1 public item and 2 of 2 tests are unbound\n"), "{}", run.stdout);
    assert_eq!(run.code, Some(1));
    let run = repo.sdp(["unbound", "--baseline", "b.txt", "--update-baseline"]);
    assert!(run.stderr.contains("sdp unbound: the baseline was not written"), "{}", run.stderr);
    assert_eq!((run.code, repo.path("b.txt").exists()), (Some(1), false));
}

#[test]
fn without_a_package_nothing_is_listed() {
    let repo = Repo::new().file("a.rs", "pub fn a() {}");
    let run = repo.sdp(["unbound"]);
    let note = "note: no cargo package was found below the root, so that there is nothing to list\n";
    assert_eq!((run.stderr.as_str(), run.stdout.as_str(), run.code), (note, "", Some(0)));
    assert_eq!(repo.sdp(["unbound", "--quiet"]).stderr, "");
}
