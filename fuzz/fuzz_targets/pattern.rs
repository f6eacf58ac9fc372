#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| sdp_inputs::pattern(input));
