//! One piece of source for each language: an anchor in a comment before and behind texts that hold the same words, and a
//! comment in a comment where the language has that. `impl:no` must never be seen.

use super::*;
use crate::anchor::built_in_names;

/// Language, file, source, and what it gives: the lines of `impl:a` and `impl:z`, then the lines of nested tags.
const CASES: &[(&str, &str, &str, &str)] = &[
    (
        "Ada",
        "a.adb",
        "-- @sdpAnchor impl:a\nC : Character := '\"';\nS : String := \"-- @sdpAnchor impl:no\";\nX'First; -- @sdpAnchor impl:z\n",
        "1 4",
    ),
    (
        "Agda",
        "a.agda",
        "-- @sdpAnchor impl:a\nx = \"\n\"\n{- a\n{- @sdpAnchor impl:no -}\n-}\n{-\n@sdpAnchor impl:z\n-}\n",
        "1 7 !5",
    ),
    (
        "AWK",
        "a.awk",
        "# @sdpAnchor impl:a\n/\"/ { print \"# @sdpAnchor impl:no\" }\n$1 ~ /#/ { x } # @sdpAnchor impl:z\n",
        "1 3",
    ),
    ("Batch", "a.bat", "REM @sdpAnchor impl:a\necho REM @sdpAnchor impl:no\n:: @sdpAnchor impl:z\n", "1 3"),
    (
        "C",
        "a.c",
        "/* @sdpAnchor impl:a */\nchar c = '\"'; char *s = \"\\\n// @sdpAnchor impl:no\";\n// @sdpAnchor impl:z\n",
        "1 4",
    ),
    (
        "C#",
        "a.cs",
        "/// @sdpAnchor impl:a\nvar s = @\"a\"\"\\\n// @sdpAnchor impl:no\"; var c = '\"';\nvar t = \"\"\"\"\n\"\"\"\n// @sdpAnchor impl:no\n\"\"\"\";\n// @sdpAnchor impl:z\n",
        "1 8",
    ),
    (
        "C++",
        "a.cpp",
        "//! @sdpAnchor impl:a\nauto s = R\"x(\n// @sdpAnchor impl:no)\"\n)x\"; auto n = 1'000'000;\n/*!\n * @sdpAnchor impl:z\n */\n",
        "1 5",
    ),
    (
        "Clojure",
        "a.clj",
        ";; @sdpAnchor impl:a\n(def c [\\\" \\;])\n(def s \"\n;; @sdpAnchor impl:no\")\n; @sdpAnchor impl:z\n",
        "1 5",
    ),
    (
        "CMake",
        "CMakeLists.txt",
        "# @sdpAnchor impl:a\nset(s \"\n# @sdpAnchor impl:no\")\nset(t [=[\n# @sdpAnchor impl:no ]]\n]=])\n#[[\n@sdpAnchor impl:z\n]]\n",
        "1 7",
    ),
    (
        "CoffeeScript",
        "a.coffee",
        "# @sdpAnchor impl:a\ns = \"\"\"\n# @sdpAnchor impl:no\n\"\"\"\n###\n@sdpAnchor impl:z\n###\n",
        "1 5",
    ),
    (
        "Common Lisp",
        "a.lisp",
        ";;; @sdpAnchor impl:a\n(list #\\\" #\\; \"\n; @sdpAnchor impl:no\")\n#| #| @sdpAnchor impl:no |# |#\n#| @sdpAnchor impl:z |#\n",
        "1 5 !4",
    ),
    (
        "Crystal",
        "a.cr",
        "# @sdpAnchor impl:a\nc = '\"'\ns = <<-X\n# @sdpAnchor impl:no\n  X\nr = /\"/ # @sdpAnchor impl:z\n",
        "1 6",
    ),
    (
        "CSS",
        "a.css",
        "/* @sdpAnchor impl:a */\np { content: \"/* @sdpAnchor impl:no */\"; }\n/**\n * @sdpAnchor impl:z\n **/\n",
        "1 3",
    ),
    ("CUDA", "a.cu", "// @sdpAnchor impl:a\nauto s = \"// @sdpAnchor impl:no\";\n// @sdpAnchor impl:z\n", "1 3"),
    ("CUE", "a.cue", "// @sdpAnchor impl:a\ns: \"\"\"\n// @sdpAnchor impl:no\n\"\"\"\n// @sdpAnchor impl:z\n", "1 5"),
    (
        "D",
        "a.d",
        "/// @sdpAnchor impl:a\nauto s = `\n// @sdpAnchor impl:no`; auto c = '\"';\n/+ a /+\n@sdpAnchor impl:no +/ +/\n// @sdpAnchor impl:z\n",
        "1 6 !5",
    ),
    (
        "Dart",
        "a.dart",
        "/// @sdpAnchor impl:a\nvar s = '''\n// @sdpAnchor impl:no ${f('\\'''')}\n'''; var r = r'\\';\n/* /* @sdpAnchor impl:no */ */\n// @sdpAnchor impl:z\n",
        "1 6 !5",
    ),
    (
        "Dhall",
        "a.dhall",
        "-- @sdpAnchor impl:a\nlet s = ''\n-- @sdpAnchor impl:no ''${x}\n''\n{- {- @sdpAnchor impl:no -} -}\n-- @sdpAnchor impl:z\n",
        "1 6 !5",
    ),
    (
        "Dockerfile",
        "Dockerfile",
        "# @sdpAnchor impl:a\nRUN echo \" # @sdpAnchor impl:no\"\nRUN <<EOF\n# @sdpAnchor impl:no\nEOF\n# @sdpAnchor impl:z\n",
        "1 6",
    ),
    (
        "Elixir",
        "a.ex",
        "# @sdpAnchor impl:a\n@doc \"\"\"\n# @sdpAnchor impl:no #{f(\"\"\"\n\"\"\")}\n\"\"\"\nx = ?\" # @sdpAnchor impl:z\n",
        "1 6",
    ),
    (
        "Elm",
        "a.elm",
        "-- @sdpAnchor impl:a\ns = \"\"\"\n-- @sdpAnchor impl:no\n\"\"\"\nc = '\"'\n{-| a\n{- @sdpAnchor impl:no -}\n-}\n{-| Prose.\n@sdpAnchor impl:z\n-}\n",
        "1 9 !7",
    ),
    ("Emacs Lisp", "a.el", ";; @sdpAnchor impl:a\n(f ?\\\" \"\n; @sdpAnchor impl:no\")\n; @sdpAnchor impl:z\n", "1 4"),
    (
        "Erlang",
        "a.erl",
        "%% @sdpAnchor impl:a\nf() -> [$\", $%, $\\\"], \"\n% @sdpAnchor impl:no\".\n% @sdpAnchor impl:z\n",
        "1 4",
    ),
    (
        "F#",
        "a.fs",
        "/// @sdpAnchor impl:a\nlet s = \"\"\"\n// @sdpAnchor impl:no\n\"\"\"\nlet f = (*) 2\nlet c = '\"'\n(* (* @sdpAnchor impl:no *) *)\n(* @sdpAnchor impl:z *)\n",
        "1 8 !7",
    ),
    ("Fish", "a.fish", "# @sdpAnchor impl:a\necho it\\'s '\n# @sdpAnchor impl:no'\n# @sdpAnchor impl:z\n", "1 4"),
    (
        "Fortran",
        "a.f90",
        "! @sdpAnchor impl:a\nprint *, \"! @sdpAnchor impl:no\", 'it''s !'\n!> @sdpAnchor impl:no?\nx = 1 ! @sdpAnchor impl:z\n",
        "1 4",
    ),
    (
        "Fortran (fixed form)",
        "a.f",
        "C @sdpAnchor impl:a\n      CALL F('C @sdpAnchor impl:no')\n* @sdpAnchor impl:z\n",
        "1 3",
    ),
    (
        "GDScript",
        "a.gd",
        "## @sdpAnchor impl:a\nvar s = \"\"\"\n# @sdpAnchor impl:no\n\"\"\"\n# @sdpAnchor impl:z\n",
        "1 5",
    ),
    ("Gherkin", "a.feature", "# @sdpAnchor impl:a\nFeature: a # @sdpAnchor impl:no\n# @sdpAnchor impl:z\n", "1 3"),
    ("Gleam", "a.gleam", "/// @sdpAnchor impl:a\nlet s = \"\n// @sdpAnchor impl:no\"\n// @sdpAnchor impl:z\n", "1 4"),
    ("GLSL", "a.glsl", "// @sdpAnchor impl:a\nvoid main() {}\n/* @sdpAnchor impl:z */\n", "1 3"),
    (
        "Go",
        "a.go",
        "// @sdpAnchor impl:a\nvar s = `\n// @sdpAnchor impl:no \\`\nvar c = '\"'\n// @sdpAnchor impl:z\n",
        "1 5",
    ),
    (
        "GraphQL",
        "a.graphql",
        "# @sdpAnchor impl:a\n\"\"\"\n# @sdpAnchor impl:no\n\"\"\"\ntype A\n# @sdpAnchor impl:z\n",
        "1 6",
    ),
    (
        "Groovy",
        "Jenkinsfile",
        "// @sdpAnchor impl:a\ndef s = '''\n// @sdpAnchor impl:no\n'''\ndef r = (x =~ /\"/)\n/** @sdpAnchor impl:z */\n",
        "1 6",
    ),
    (
        "Haskell",
        "a.hs",
        "-- | @sdpAnchor impl:a\nx' = \"-- @sdpAnchor impl:no\" --> '\"'\n{- {- @sdpAnchor impl:no -} -}\n{-|\n@sdpAnchor impl:z\n-}\n",
        "1 4 !3",
    ),
    (
        "Haxe",
        "a.hx",
        "// @sdpAnchor impl:a\nvar s = '\n// @sdpAnchor impl:no';\nvar r = ~/\"/;\n// @sdpAnchor impl:z\n",
        "1 5",
    ),
    (
        "HCL",
        "a.tf",
        "# @sdpAnchor impl:a\na = <<EOT\n# @sdpAnchor impl:no\nEOT\nb = \"${f(\"# x\")}\"\n// @sdpAnchor impl:z\n",
        "1 6",
    ),
    ("HLSL", "a.hlsl", "// @sdpAnchor impl:a\n#include \"a//b\"\n/* @sdpAnchor impl:z */\n", "1 3"),
    (
        "HTML",
        "a.html",
        "<!-- @sdpAnchor impl:a -->\n<p title=\"@sdpAnchor impl:no\">it's</p>\n<!--\n@sdpAnchor impl:z\n-->\n",
        "1 3",
    ),
    (
        "Idris",
        "a.idr",
        "-- @sdpAnchor impl:a\ns = \"\"\"\n-- @sdpAnchor impl:no\n\"\"\"\n{- {- @sdpAnchor impl:no -} -}\n-- @sdpAnchor impl:z\n",
        "1 6 !5",
    ),
    ("INI", "a.ini", "; @sdpAnchor impl:a\nx = \"# @sdpAnchor impl:no\"\n# @sdpAnchor impl:z\n", "1 3"),
    (
        "Java",
        "A.java",
        "/**\n * Prose.\n * @sdpAnchor impl:a\n * @param x y\n */\nvar s = \"\"\"\n// @sdpAnchor impl:no \\\"\"\"\n\"\"\"; char c = '\"';\n// @sdpAnchor impl:z\n",
        "1 9",
    ),
    (
        "JavaScript",
        "a.js",
        "// @sdpAnchor impl:a\nconst s = `\n// @sdpAnchor impl:no ${f(`it's ${x}`, {a: '}'})}\n`, r = /[/\"]\\//;\nreturn a / b; /* @sdpAnchor impl:z */\n",
        "1 5",
    ),
    (
        "Jsonnet",
        "a.jsonnet",
        "// @sdpAnchor impl:a\n{ s: |||\n  // @sdpAnchor impl:no\n||| }\n# @sdpAnchor impl:z\n",
        "1 5",
    ),
    (
        "Julia",
        "a.jl",
        "# @sdpAnchor impl:a\ns = \"\"\"\n# @sdpAnchor impl:no $(f(\"x\"))\n\"\"\"\nt = a' * '\"'\n#= #= @sdpAnchor impl:no =# =#\n#= @sdpAnchor impl:z =#\n",
        "1 7 !6",
    ),
    ("Just", "Justfile", "# @sdpAnchor impl:a\ns := '''\n# @sdpAnchor impl:no\n'''\n# @sdpAnchor impl:z\n", "1 5"),
    (
        "Kotlin",
        "a.kt",
        "// @sdpAnchor impl:a\nval s = \"\"\"\n// @sdpAnchor impl:no \\\n\"\"\"; val t = \"${m[\"//\"]}\"; val c = '\"'\n/* /* @sdpAnchor impl:no */ */\n// @sdpAnchor impl:z\n",
        "1 6 !5",
    ),
    ("LaTeX", "a.tex", "% @sdpAnchor impl:a\n50\\% @sdpAnchor impl:no\n%% @sdpAnchor impl:z\n", "1 3"),
    (
        "Lean",
        "a.lean",
        "-- @sdpAnchor impl:a\ndef s := \"\n-- @sdpAnchor impl:no\"\n/- /- @sdpAnchor impl:no -/ -/\n/-- @sdpAnchor impl:z -/\n",
        "1 5 !4",
    ),
    (
        "Less",
        "a.less",
        "// @sdpAnchor impl:a\n@x: url(http://a); @y: \"// @sdpAnchor impl:no\";\n// @sdpAnchor impl:z\n",
        "1 3",
    ),
    (
        "Lua",
        "a.lua",
        "-- @sdpAnchor impl:a\nlocal s = [==[\n-- @sdpAnchor impl:no ]]\n]==]\n--[[\n@sdpAnchor impl:z\n--]]\n",
        "1 5",
    ),
    (
        "Makefile",
        "Makefile",
        "# @sdpAnchor impl:a\nS = \"# @sdpAnchor impl:no\" it's\nT = \\# @sdpAnchor impl:no\n# @sdpAnchor impl:z\n",
        "1 4",
    ),
    ("Metal", "a.metal", "// @sdpAnchor impl:a\nfloat x; // @sdpAnchor impl:z\n", "1 2"),
    (
        "Nim",
        "a.nim",
        "## @sdpAnchor impl:a\nlet s = \"\"\"\n# @sdpAnchor impl:no\n\"\"\"; let r = r\"\\\"; let c = '\"'\n#[ #[ @sdpAnchor impl:no ]# ]#\n##[ @sdpAnchor impl:z ]##\n",
        "1 6 !5",
    ),
    (
        "Nix",
        "a.nix",
        "# @sdpAnchor impl:a\ns = ''\n# @sdpAnchor impl:no ''${x} ''' ${f ''\n''}\n'';\n/* @sdpAnchor impl:z */\n",
        "1 6",
    ),
    ("Nushell", "a.nu", "# @sdpAnchor impl:a\nlet s = '\n# @sdpAnchor impl:no'\n# @sdpAnchor impl:z\n", "1 4"),
    (
        "Objective-C",
        "a.m",
        "// @sdpAnchor impl:a\nNSString *s = @\"// @sdpAnchor impl:no\";\n// @sdpAnchor impl:z\n",
        "1 3",
    ),
    (
        "OCaml",
        "a.ml",
        "(* @sdpAnchor impl:a *)\nlet s = {x|\n(* @sdpAnchor impl:no *) |}\n|x} and c = '\"' and y' = \"\n(* @sdpAnchor impl:no *)\"\n(* (* @sdpAnchor impl:no *) *)\n(** @sdpAnchor impl:z *)\n",
        "1 7 !6",
    ),
    (
        "Odin",
        "a.odin",
        "// @sdpAnchor impl:a\ns := `\n// @sdpAnchor impl:no`\n/* /* @sdpAnchor impl:no */ */\n// @sdpAnchor impl:z\n",
        "1 5 !4",
    ),
    (
        "Pascal",
        "a.pas",
        "{ @sdpAnchor impl:a }\ns := 'it''s { @sdpAnchor impl:no }';\n(*\n * @sdpAnchor impl:z\n *)\n",
        "1 3",
    ),
    (
        "Perl",
        "a.pl",
        "# @sdpAnchor impl:a\nmy $s = <<\"E\";\n# @sdpAnchor impl:no\nE\n$s =~ /\"/; $#x;\n=pod\n\n@sdpAnchor impl:z\n\n=cut\n__END__\n# @sdpAnchor impl:no\n",
        "1 6",
    ),
    (
        "PHP",
        "a.php",
        "<p>it's # @sdpAnchor impl:no</p>\n<?php // @sdpAnchor impl:a\n$s = <<<X\n# @sdpAnchor impl:no\n  X . '\n# @sdpAnchor impl:no';\n# @sdpAnchor impl:z\n#[Test]\n",
        "2 7",
    ),
    (
        "PowerShell",
        "a.ps1",
        "# @sdpAnchor impl:a\n$s = @\"\n# @sdpAnchor impl:no \"\n\"@; $t = \"`\"\"\n<#\n @sdpAnchor impl:z\n#>\n",
        "1 5",
    ),
    (
        "Prisma",
        "a.prisma",
        "/// @sdpAnchor impl:a\nx @default(\"// @sdpAnchor impl:no\")\n// @sdpAnchor impl:z\n",
        "1 3",
    ),
    ("Properties", "a.properties", "# @sdpAnchor impl:a\nx = # @sdpAnchor impl:no\n! @sdpAnchor impl:z\n", "1 3"),
    (
        "Protobuf",
        "a.proto",
        "// @sdpAnchor impl:a\noption x = '// @sdpAnchor impl:no';\n/* @sdpAnchor impl:z */\n",
        "1 3",
    ),
    (
        "PureScript",
        "a.purs",
        "-- | @sdpAnchor impl:a\ns = \"\"\"\n-- @sdpAnchor impl:no\n\"\"\"\n{- @sdpAnchor impl:z -}\n",
        "1 5",
    ),
    (
        "Python",
        "a.py",
        "# @sdpAnchor impl:a\ns = r'''\n# @sdpAnchor impl:no \\'''\n'''\nt = f\"{x[\"a\"]}\" # @sdpAnchor impl:z\n",
        "1 5",
    ),
    (
        "R",
        "a.R",
        "#' @sdpAnchor impl:a\n#' @param x y\ns <- r\"(\n# @sdpAnchor impl:no \")\"\n# @sdpAnchor impl:z\n",
        "1 5",
    ),
    (
        "Racket",
        "a.rkt",
        "; @sdpAnchor impl:a\n(f #\\\" \"\n; @sdpAnchor impl:no\")\n#| #| @sdpAnchor impl:no |# |#\n#| @sdpAnchor impl:z |#\n",
        "1 5 !4",
    ),
    ("Rego", "a.rego", "# @sdpAnchor impl:a\ns := `\n# @sdpAnchor impl:no`\n# @sdpAnchor impl:z\n", "1 4"),
    (
        "Ruby",
        "a.rb",
        "# @sdpAnchor impl:a\ns = f(<<~X, <<-'Y')\n# @sdpAnchor impl:no\nX\n  X\n# @sdpAnchor impl:no\n  Y\nt = \"#{h[\"# \"]}\" if x =~ /\"/ and y << 1\n=begin\n@sdpAnchor impl:z\n=end\n__END__\n# @sdpAnchor impl:no\n",
        "1 9",
    ),
    (
        "Rust",
        "a.rs",
        "/// @sdpAnchor impl:a\nconst S: &str = r#\"\n// @sdpAnchor impl:no \"\n\"#;\nconst C: char = '\"';\n/* /* @sdpAnchor impl:no */ */\n// @sdpAnchor impl:z\nfn f<'a>() {}\n",
        "1 7 !6",
    ),
    (
        "Scala",
        "a.scala",
        "// @sdpAnchor impl:a\nval s = \"\"\"\n// @sdpAnchor impl:no\n\"\"\"; val c = '\"'\n/* /* @sdpAnchor impl:no */ */\n// @sdpAnchor impl:z\n",
        "1 6 !5",
    ),
    (
        "Scheme",
        "a.scm",
        ";; @sdpAnchor impl:a\n(f #\\; \"\n; @sdpAnchor impl:no\")\n#| #| @sdpAnchor impl:no |# |#\n#| @sdpAnchor impl:z |#\n",
        "1 5 !4",
    ),
    (
        "SCSS",
        "a.scss",
        "// @sdpAnchor impl:a\n$x: url(http://a) '// @sdpAnchor impl:no';\n/* @sdpAnchor impl:z */\n",
        "1 3",
    ),
    (
        "Shell",
        "a.sh",
        "#!/bin/sh\n\n# @sdpAnchor impl:a\necho it\\'s \"$(sed 's/\"//' ${#x})\" $# '\n# @sdpAnchor impl:no'\ncat <<-EOF | tr <<< a\n# @sdpAnchor impl:no\n\tEOF\n# @sdpAnchor impl:z\n",
        "3 9",
    ),
    (
        "Slint",
        "a.slint",
        "// @sdpAnchor impl:a\ns: \"// @sdpAnchor impl:no\";\n/* /* @sdpAnchor impl:no */ */\n// @sdpAnchor impl:z\n",
        "1 4 !3",
    ),
    (
        "Solidity",
        "a.sol",
        "/// @sdpAnchor impl:a\nstring s = '// @sdpAnchor impl:no';\n/** @sdpAnchor impl:z */\n",
        "1 3",
    ),
    (
        "SQL",
        "a.sql",
        "-- @sdpAnchor impl:a\nselect 'it''s\n-- @sdpAnchor impl:no', $x$\n-- @sdpAnchor impl:no $$\n$x$, $1;\n/* /* @sdpAnchor impl:no */ */\n-- @sdpAnchor impl:z\n",
        "1 7 !6",
    ),
    (
        "Starlark",
        "BUILD.bazel",
        "# @sdpAnchor impl:a\ns = \"\"\"\n# @sdpAnchor impl:no\n\"\"\"\n# @sdpAnchor impl:z\n",
        "1 5",
    ),
    (
        "Swift",
        "a.swift",
        "/// @sdpAnchor impl:a\nlet s = #\"\"\"\n// @sdpAnchor impl:no \"\"\"\n\"\"\"#; let t = \"\\(f(\"//\"))\"\n/* /* @sdpAnchor impl:no */ */\n// @sdpAnchor impl:z\n",
        "1 6 !5",
    ),
    ("Tcl", "a.tcl", "# @sdpAnchor impl:a\nset x \"# @sdpAnchor impl:no\"\n# @sdpAnchor impl:z\n", "1 3"),
    (
        "Thrift",
        "a.thrift",
        "# @sdpAnchor impl:a\nconst string s = \"// @sdpAnchor impl:no\"\n/** @sdpAnchor impl:z */\n",
        "1 3",
    ),
    (
        "TOML",
        "a.toml",
        "# @sdpAnchor impl:a\ns = '''\n# @sdpAnchor impl:no\n'''\nt = 'C:\\' # @sdpAnchor impl:z\n",
        "1 5",
    ),
    #[cfg(feature = "typescript")]
    (
        "TypeScript",
        "a.tsx",
        "/** @sdpAnchor impl:a */\nconst s = \"/** @sdpAnchor impl:no */\"; // see @sdpAnchor impl:no\n/* see @sdpAnchor impl:no */\nconst j = <p>/** @sdpAnchor impl:no */</p>;\n/** @sdpAnchor impl:z */\n",
        "1 5",
    ),
    (
        "Typst",
        "a.typ",
        "// @sdpAnchor impl:a\nhttps://a `// @sdpAnchor impl:no`\n/* /* @sdpAnchor impl:no */ */\n// @sdpAnchor impl:z\n",
        "1 4 !3",
    ),
    ("Verilog", "a.v", "// @sdpAnchor impl:a\n$display(\"// @sdpAnchor impl:no\");\n/* @sdpAnchor impl:z */\n", "1 3"),
    (
        "VHDL",
        "a.vhd",
        "-- @sdpAnchor impl:a\ns <= \"-- @sdpAnchor impl:no\" & '\"'; a'event; -- @sdpAnchor impl:z\n",
        "1 2",
    ),
    ("Vim script", "a.vim", "\" @sdpAnchor impl:a\necho \"@sdpAnchor impl:no\"\n\" @sdpAnchor impl:z\n", "1 3"),
    ("Visual Basic", "a.vb", "' @sdpAnchor impl:a\nDim s = \"' @sdpAnchor impl:no\"\n''' @sdpAnchor impl:z\n", "1 3"),
    (
        "WGSL",
        "a.wgsl",
        "// @sdpAnchor impl:a\n/* /* @sdpAnchor impl:no */ */\nfn f() {} // @sdpAnchor impl:z\n",
        "1 3 !2",
    ),
    (
        "XML",
        "a.xml",
        "<!-- @sdpAnchor impl:a -->\n<a><![CDATA[\n<!-- @sdpAnchor impl:no -->\n]]></a>\n<!--\n  @sdpAnchor impl:z\n-->\n",
        "1 5",
    ),
    (
        "YAML",
        "a.yml",
        "# @sdpAnchor impl:a\n- name: it's \"a\n  run: |\n    # @sdpAnchor impl:no\n\n    # @sdpAnchor impl:no\n  with: 'x\n    # @sdpAnchor impl:no'\n- >-\n  # @sdpAnchor impl:no\n# @sdpAnchor impl:z\n",
        "1 11",
    ),
    (
        "Zig",
        "a.zig",
        "/// @sdpAnchor impl:a\nconst s =\n    \\\\// @sdpAnchor impl:no \"\n;\n// @sdpAnchor impl:z\n",
        "1 5",
    ),
];

#[test]
#[sdp::verifies("spec:sdp.anchors.comments")]
fn each_language_tells_its_comments_from_its_texts() {
    let nested =
        "misplaced reserved tag: an @sdp… tag binds only from a top-level comment, never from a nested position";
    let mut wrong = Vec::new();
    for (language, file, text, lines) in CASES {
        let mut ids = ["impl:a", "impl:z"].into_iter();
        let expected: Vec<String> = lines
            .split(' ')
            .map(|line| match line.strip_prefix('!') {
                Some(line) => format!("!{line} {nested}"),
                None => format!("{}@{line}", ids.next().unwrap()),
            })
            .collect();
        let actual = given(file, text);
        if actual != expected {
            wrong.push(format!("{language}: {actual:#?}, not {expected:#?}"));
        }
        let windows = given(file, &text.replace('\n', "\r\n"));
        if windows != expected {
            wrong.push(format!("{language} with CRLF: {windows:#?}, not {expected:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_language_is_without_a_case() {
    let languages = Languages::default();
    for (name, file, ..) in CASES {
        let language = languages.of_file_name(file).and_then(|id| languages.get(id)).unwrap();
        assert_eq!(language.name, *name, "{file}");
    }
    let cases: Vec<&str> = CASES.iter().map(|(name, ..)| *name).collect();
    assert_eq!(cases, built_in_names().collect::<Vec<_>>());
}
