//! Where texts end, and what only looks like one: no comment may be lost behind it. `impl:no` must never be seen.

use super::*;

/// Asserts that a file gives `impl:z` in its last line, and nothing else.
fn assert_last_line_binds(cases: &[(&str, &str)]) {
    for (file, code) in cases {
        let text = format!("{code}\n{}", last_line(file));
        assert_eq!(given(file, &text), [format!("impl:z@{}", text.matches('\n').count() + 1)], "{file}: {code}");
    }
}

fn last_line(file: &str) -> &'static str {
    match file.rsplit('.').next() {
        Some("sql") => "-- @sdpAnchor impl:z",
        Some("el" | "lisp" | "scm") => "; @sdpAnchor impl:z",
        Some("cpp" | "cs" | "js" | "jsx" | "php" | "swift" | "zig") => "// @sdpAnchor impl:z",
        Some("lua") => "-- @sdpAnchor impl:z",
        _ => "# @sdpAnchor impl:z",
    }
}

#[test]
fn a_text_without_an_end_is_none() {
    assert_last_line_binds(&[
        ("a.js", "if (x) /['\"`]/.test(y)"),
        ("a.jsx", "const a = <p>it's `odd ${b} </p>;"),
        ("a.rb", "x = y ?\"b\" : 1"),
        ("a.sql", "select 1 # it's of another dialect"),
        ("a.sql", "select $a$, $b$ from x"),
        ("a.swift", "let a = ##\"b"),
        ("a.cs", "/* \"\"\" */ \"\"\""),
        ("a.lua", "x = a[[b"),
        ("a.yml", "a: plain\n  'tis the season"),
        ("a.py", "''' ''' '''"),
    ]);
    // As many as anybody likes.
    let many: String = (0..100).map(|number| format!("$a{number}$ ")).collect();
    assert_last_line_binds(&[("a.sql", &many)]);
}

#[test]
fn what_the_end_of_the_file_closes_is_a_text_without_it() {
    for (file, text) in [
        ("a.pl", "x;\n__END__\n# @sdpAnchor impl:no\n"),
        ("a.rb", "x\n__END__\n# @sdpAnchor impl:no\n"),
        ("a.php", "<?php f(); ?>\n# @sdpAnchor impl:no\n"),
        ("a.zig", "const a =\n    \\\\// @sdpAnchor impl:no"),
    ] {
        assert_eq!(given(file, text), Vec::<String>::new(), "{file}");
    }
}

#[test]
fn a_heredoc_of_a_shell_ends_with_any_word() {
    assert_last_line_binds(&[
        ("a.sh", "cat <<END-1\nit's\n# @sdpAnchor impl:no\nEND-1"),
        ("a.sh", "cat <<a.b <<!\n# @sdpAnchor impl:no\na.b\nit's\n!"),
        ("a.sh", "cat <<-\tEND\nit's\n\tEND"),
        ("a.sh", "x=$((1 << 3)) y=$((1<<b)); cat <<< it\\'s; (( x <<= 2 ))"),
    ]);
}

#[test]
fn texts_in_chosen_brackets_hold_quotes_and_signs() {
    assert_last_line_binds(&[
        ("a.rb", "a = %w(it's # b); c = %q{don't}; d = %r{[\"']}; e = f(%(it's)) % g"),
        ("a.rb", "a = %(\nit's (so)\n# @sdpAnchor impl:no\n)\nb = %w[\\]'] % \"c\""),
        ("a.cr", "a = %w(it's \" # b)"),
        ("a.ex", "a = ~s(it's \") <> ~r/\"/ <> ~w[' #]a"),
    ]);
    // A row of them is not searched again and again.
    assert_eq!(given("a.rb", &format!("{}@sdp", "%w( ".repeat(1 << 18))), Vec::<String>::new());
}

#[test]
fn each_language_closes_its_own_quotes() {
    assert_last_line_binds(&[
        ("a.yml", "a: 'it''s # @sdpAnchor impl:no'\nb: '' # c"),
        ("a.sql", "select E'it\\'s', e'it''s\\\\', 'a\\', CODE'b'"),
        ("a.cpp", "auto a = BAR\"(\" + u8R\"(\")\" + LR\"x(\" // @sdpAnchor impl:no )x\";"),
        ("a.js", "a.replace(/ `/g, b); c = d / 2; // e / f\ng[0] / 2; // '"),
        ("a.php", "<?php // a ?> it's <p>\n<?php # b ?> it's\n<?php"),
        ("a.el", "(list ?\" ?\\\" ?;)"),
        ("a.lisp", "(|a;\"b| #\\| #\\\")"),
        ("a.scm", "(|a;\"b| #\\|)"),
        ("a.coffee", "a = ///it's \" # b\n# @sdpAnchor impl:no\n///"),
    ]);
    // The end of the code ends a tag, too.
    assert_eq!(given("a.php", "<?php // @sdpAnchor impl:a ?>\n<p>"), ["impl:a@1"]);
}
