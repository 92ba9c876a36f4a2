//! Links the quick build of Linux at a fixed address.
//!
//! Dependencies that are not optimized leave half a million addresses for the loader to fill in before `main`, at
//! every start: 6 ms, where a small bill takes 9 without. The price is that the program's own place in memory is the
//! same at every start; libraries, heap and stack are still placed at random. What is published (`--release`, `dist`)
//! stays position-independent. A linker that does not know the flag is called again without it, by rustc.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|set| set == value);
    let linux = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    // A static program is linked in a way of its own.
    let is_static = env::var("CARGO_CFG_TARGET_FEATURE").is_ok_and(|all| all.split(',').any(|one| one == "crt-static"));
    if linux && is("PROFILE", "debug") && !is_static {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
