#![no_main]

#[path = "../checks.rs"]
#[allow(dead_code)]
mod checks;

#[path = "../quiet.rs"]
mod quiet;

libfuzzer_sys::fuzz_target!(init: quiet::hook(), |bytes: &[u8]| checks::xlsx(bytes));
