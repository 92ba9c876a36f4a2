//! What a log is called where it names no card and no host.

use std::collections::HashMap;
use std::path::PathBuf;

/// A file's name as shown, and its path.
type File = (String, PathBuf);

/// A label a file: its name without folder and ending, longer where several files share that,
/// because `node-a/gpu.csv` and `node-b/gpu.csv` are logs of two machines.
pub(super) fn labels(files: &[File]) -> Vec<String> {
    let longer: [fn(&File) -> String; 2] = [|(name, _)| without_ending(name).to_owned(), with_folder];
    let mut labels: Vec<String> = files.iter().map(|(name, _)| stem(name).to_owned()).collect();
    for longer in longer {
        let mut times: HashMap<String, usize> = HashMap::new();
        labels.iter().for_each(|label| *times.entry(label.clone()).or_default() += 1);
        for (label, file) in labels.iter_mut().zip(files) {
            if times.get(label).is_some_and(|n| *n > 1) {
                *label = longer(file);
            }
        }
    }
    labels
}

/// A file's name without folder and ending.
pub(super) fn stem(file: &str) -> &str {
    without_ending(file.rsplit(['/', '!']).next().unwrap_or(file))
}

/// The folder that holds a file and its name: more of the path would differ from machine to machine.
fn with_folder((_, path): &File) -> String {
    let folder = path.parent().and_then(|p| p.file_name()).unwrap_or_default().to_string_lossy();
    format!("{folder}/{}", stem(&path.to_string_lossy().replace('\\', "/")))
}

fn without_ending(file: &str) -> &str {
    let file = file.strip_suffix(".gz").unwrap_or(file);
    match file.rsplit_once('.') {
        Some((stem, ending)) if !ending.contains('/') && !stem.is_empty() => stem,
        _ => file,
    }
}
