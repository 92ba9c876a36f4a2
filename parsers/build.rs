//! Embeds every platform file, so that adding a platform is adding one file.
//!
//! Beside its text stands the same as JSON, which is read at every start in a fraction of the time: what TOML allows
//! a person to write is taken apart once, here.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=platforms");
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let folder = Path::new(&root).join("platforms");
    let mut files: Vec<_> = fs::read_dir(&folder)?.collect::<io::Result<Vec<_>>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    let mut list = String::from("&[\n");
    for file in files {
        let path = file.path();
        if path.extension().is_some_and(|e| e == "toml") {
            let name = file.file_name();
            let name = name.to_string_lossy();
            let text = fs::read_to_string(&path)?;
            let same: toml::Value = toml::from_str(&text).map_err(|e| io::Error::other(format!("{name}: {e}")))?;
            let json = serde_json::to_string(&same).map_err(io::Error::other)?;
            // The path is left to the compiler: a build kept from another checkout stays true.
            let _ = writeln!(
                list,
                "    ({name:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/platforms/{name}\")), {json:?}),"
            );
        }
    }
    list.push(']');
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("platforms.rs"), list)
}
