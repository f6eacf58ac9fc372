#!/usr/bin/env bash
# Fuzzes every target, or those named, for a number of inputs each: RUNS=2000000 fuzz/run.sh markdown json
# Needs a nightly toolchain and cargo-fuzz. What it finds goes into fuzz/seeds, where a test runs it from then on.
set -euo pipefail
cd "$(dirname "$0")"
runs=${RUNS:-1000000}
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(seeds/*)

# The engine holds no unsafe code: a sanitizer would only slow the search down. And under `cfg(fuzzing)` the parser of Rust
# gives no places, so that items would never be found under their attributes.
how=(--release --sanitizer none --no-cfg-fuzzing)
cargo +nightly fuzz build "${how[@]}"
for target in "${targets[@]#seeds/}"; do
    more=()
    most=8192
    case $target in
        markdown) more=(../specs ../examples ../tests/fixtures) ;;
        gherkin) more=(../tests/fixtures) ;;
        rust) more=(../sdp-core/src ../tests/fixtures) ;;
        comment | typescript) more=(../tests/fixtures) ;;
        contract) more=(../crates/sdp-eval/corpus) most=16384 ;;
    esac
    mkdir -p "corpus/$target"
    echo "== $target"
    cargo +nightly fuzz run "${how[@]}" "$target" "corpus/$target" "seeds/$target" "${more[@]}" -- \
        -runs="$runs" -dict="dictionaries/$target.dict" -max_len=$most -timeout=5 -rss_limit_mb=2048 -print_final_stats=1
done
