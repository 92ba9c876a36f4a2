//! Finds every rule page and names the code beside it: a page whose module is not declared in its
//! group does not compile.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let mut list = String::from("&[\n");
    for folder in sorted(&root)? {
        if !folder.is_dir() {
            continue;
        }
        let group = name(&folder);
        println!("cargo::rerun-if-changed={group}");
        for page in sorted(&folder)? {
            let file = name(&page);
            let Some(rule) = file.strip_suffix(".md").filter(|r| !r.ends_with(".zh")) else { continue };
            let module = rule.replace('-', "_");
            // The path is left to the compiler: a build kept from another checkout stays true.
            let text = |ending: &str| {
                format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{group}/{rule}{ending}\"))")
            };
            let (page, zh) = (text(".md"), text(".zh.md"));
            let _ = writeln!(
                list,
                "    Registered {{ name: {rule:?}, group: {group:?}, page: {page}, zh: {zh}, check: crate::{group}::{module}::check }},",
            );
        }
    }
    list.push(']');
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("registry.rs"), list)
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all: Vec<_> = fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<io::Result<_>>()?;
    all.sort();
    Ok(all)
}

fn name(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}
