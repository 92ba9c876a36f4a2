//! Utilization exports of every shape become the expected hours; devices find their resources.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use kashi::config::Config;
use kashi_parsers::contract::Device;
use kashi_parsers::ledger::time::Zone;
use kashi_parsers::usage::{Options, Usage, UsageHour, read, read_from, tie, write_hours_csv};

use crate::golden;

const FOLDER: &str = "fixtures/usage";

/// Cases by name: the files that are read together.
fn cases() -> BTreeMap<String, Vec<PathBuf>> {
    let mut cases: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in files(Path::new(FOLDER)) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".hours.csv") || name.ends_with(".fields") || name.ends_with(".zone") || name == "sources.txt"
        {
            continue;
        }
        let case = if name.starts_with("pod_") { "pods" } else { name.split('.').next().unwrap() };
        cases.entry(case.to_owned()).or_default().push(file);
    }
    cases
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    all
}

fn named(files: &[PathBuf]) -> Vec<(String, PathBuf)> {
    files.iter().map(|f| (f.file_name().unwrap().to_string_lossy().into_owned(), f.clone())).collect()
}

fn options(case: &str) -> Options {
    let fields = std::fs::read_to_string(format!("{FOLDER}/{case}.fields")).ok();
    let zone = std::fs::read_to_string(format!("{FOLDER}/{case}.zone")).map(|z| Zone::parse(&z).unwrap());
    Options {
        zone: zone.unwrap_or_else(|_| Zone::utc()),
        fields: fields.map(|f| f.trim().split(',').map(str::to_owned).collect()),
    }
}

fn csv(usage: &Usage) -> String {
    let mut csv = Vec::new();
    write_hours_csv(&usage.hours, &mut csv).unwrap();
    String::from_utf8(csv).unwrap()
}

#[test]
fn every_export_becomes_its_expected_hours() {
    let cases = cases();
    assert!(cases.len() >= 25, "{} cases", cases.len());
    let mut said = String::new();
    for (case, files) in &cases {
        let usage = read(&named(files), &options(case)).unwrap_or_else(|e| panic!("{case}: {e}"));
        for hour in &usage.hours {
            assert!(hour.idle_s + hour.busy_s <= hour.observed_s && hour.observed_s <= 3600.0, "{case}: {hour:?}");
        }
        for s in &usage.sources {
            let _ = writeln!(said, "{}: {}, {} samples, of {}", s.file, s.format, s.samples, s.devices.join(" "));
            s.left_out.iter().for_each(|(why, n)| said.push_str(&format!("  left out: {n} × {why}\n")));
            s.notes.iter().for_each(|note| said.push_str(&format!("  note: {note}\n")));
        }
        golden::check(Path::new(&format!("{FOLDER}/{case}.hours.csv")), &csv(&usage));
    }
    golden::check(Path::new(&format!("{FOLDER}/sources.txt")), &said);
}

#[test]
fn a_copy_of_a_log_changes_nothing() {
    for (case, files) in cases().iter().filter(|(case, _)| ["two-cards", "dcgm", "roll-up"].contains(&case.as_str())) {
        let mut twice = named(files);
        let once = read(&twice, &options(case)).unwrap();
        twice.push((format!("copy/{}", twice[0].0), twice[0].1.clone()));
        assert_eq!(csv(&read(&twice, &options(case)).unwrap()), csv(&once), "{case}");
    }
}

#[test]
fn a_log_cut_in_two_files_loses_nothing_but_what_the_cut_hides() {
    let text = std::fs::read_to_string(format!("{FOLDER}/units-in-cells.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a.csv"), folder.path().join("b.csv"));
    std::fs::write(&a, lines[..16].join("\n")).unwrap();
    std::fs::write(&b, [&lines[..1], &lines[16..]].concat().join("\n")).unwrap();
    let joined = read(&named(&[a, b]), &Options::default()).unwrap();
    let whole = read(&named(&[format!("{FOLDER}/units-in-cells.csv").into()]), &Options::default()).unwrap();
    for (joined, whole) in joined.hours.iter().zip(&whole.hours) {
        assert!((joined.observed_s - whole.observed_s).abs() < 1.0, "{joined:?} {whole:?}");
    }
}

#[test]
fn samples_of_the_public_give_a_result_or_say_what_is_missing() {
    let samples = Path::new("../shared/samples/usage");
    if !samples.is_dir() {
        return;
    }
    let folders = ["amd", "captures", "excerpts", "nvidia-smi", "pods", "prometheus", "traces", "xml"];
    let all: Vec<PathBuf> = folders.iter().flat_map(|folder| files(&samples.join(folder))).collect();
    assert!(all.len() >= 60);
    for file in all {
        match read(&named(std::slice::from_ref(&file)), &Options::default()) {
            Ok(usage) => {
                let source = &usage.sources[0];
                assert!(!usage.hours.is_empty() || !source.notes.is_empty(), "{}: {source:?}", file.display());
                println!("{}: {} hours, {source:?}", file.display(), usage.hours.len());
            }
            Err(error) => assert!(error.to_string().contains("help: "), "{}: {error}", file.display()),
        }
    }
}

#[test]
fn a_slice_is_a_fraction_of_its_card() {
    let hour = |name: &str, memory: Option<f64>| UsageHour {
        name: name.to_owned(),
        memory_total: memory,
        ..UsageHour::unknown("GPU-a/1", chrono::DateTime::UNIX_EPOCH)
    };
    // (name, MiB, share): what keeps more from others counts, sevenths of compute or eighths of memory.
    let cases = [
        ("NVIDIA H100 80GB HBM3", Some(81559.0), 1.0),
        ("", None, 1.0),
        ("NVIDIA H100 80GB HBM3 MIG 1g.10gb", None, 1.0 / 7.0),
        ("NVIDIA H100 80GB HBM3 MIG 1g.20gb", None, 0.25),
        ("NVIDIA A100-SXM4-40GB MIG 3g.20gb", None, 0.5),
        ("NVIDIA A100-SXM4-40GB MIG 7g.40gb", None, 1.0),
        ("NVIDIA A100-SXM4-40GB MIG", Some(19968.0), 0.5),
        ("NVIDIA A100-SXM4-40GB MIG", None, 0.0),
        ("a card of next year MIG 2g.20gb", None, 2.0 / 7.0),
    ];
    for (name, memory, share) in cases {
        assert!((hour(name, memory).share() - share).abs() < 1e-9, "{name}: {}", hour(name, memory).share());
    }
}

#[test]
fn logs_of_one_name_in_two_folders_are_two_machines() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (node, util) in [("node-a", 0), ("node-b", 90)] {
        let path = folder.path().join(node).join("gpu.csv");
        std::fs::create_dir(path.parent().unwrap()).unwrap();
        let log = format!("timestamp, index, utilization.gpu [%]\n2026/09/03 07:50:00.312, 0, {util} %\n");
        std::fs::write(&path, log).unwrap();
        files.push((format!("usage/{node}/gpu.csv"), path));
    }
    let device = |usage: &Usage| usage.hours.iter().map(|h| (h.device.clone(), h.util_max)).collect::<Vec<_>>();
    let usage = read(&files, &Options::default()).unwrap();
    assert_eq!(device(&usage), [("usage/node-a/gpu/0".into(), Some(0.0)), ("usage/node-b/gpu/0".into(), Some(90.0))]);
    // Absolute paths are shown by their last part alone.
    files.iter_mut().for_each(|(name, _)| "gpu.csv".clone_into(name));
    let usage = read(&files, &Options::default()).unwrap();
    assert_eq!(device(&usage), [("node-a/gpu/0".into(), Some(0.0)), ("node-b/gpu/0".into(), Some(90.0))]);
}

#[test]
fn a_stream_reads_as_its_file() {
    for (case, files) in cases().iter().filter(|(_, files)| files.len() == 1) {
        let name = named(files).remove(0).0;
        let usage = read_from(&name, std::fs::File::open(&files[0]).unwrap(), &options(case)).unwrap();
        assert_eq!(csv(&usage), csv(&read(&named(files), &options(case)).unwrap()), "{case}");
    }
}

/// Reads `two-cards.csv` under a name, ties it, and returns `(resource of the first hour, untied)`.
fn tied(name: &str, config: &str, resources: &[&str]) -> (Option<String>, Vec<String>) {
    tied_file("two-cards.csv", name, config, resources)
}

fn tied_file(file: &str, name: &str, config: &str, resources: &[&str]) -> (Option<String>, Vec<String>) {
    let mut usage = read(&[(name.to_owned(), format!("{FOLDER}/{file}").into())], &Options::default()).unwrap();
    let devices: Vec<Device> = Config::parse(config, "kashi.toml").unwrap().contract().devices;
    let resources: Vec<_> = resources.iter().map(|r| ("tencent".to_owned(), (*r).to_owned())).collect();
    let untied = tie(&mut usage, &devices, &resources);
    (usage.hours[0].resource.clone(), untied)
}

#[test]
fn devices_are_tied_to_what_is_billed() {
    let glob = "[[device]]\nresource = \"r\"\nfiles = [\"usage/a/*.csv\"]";
    let label = "[[device]]\nresource = \"r\"\nlabels = { pod = \"train-0\", namespace = \"lab\" }";
    let other = "[[device]]\nresource = \"r\"\nlabels = { pod = \"train-0\", namespace = \"else\" }";
    let some = |r: &str| Some(r.to_owned());
    // (file, name, kashi.toml, billed resources, expected)
    let cases = [
        ("two-cards.csv", "usage/a/gpu.csv", glob, &["ins-4k2m8x"][..], some("r")),
        ("two-cards.csv", "usage/b/gpu.csv", glob, &[], None),
        ("two-cards.csv", "usage/a/ins-4k2m8x.csv", glob, &["ins-4k2m8x"], some("r")),
        ("dcgm.json", "dcgm.json", label, &[], some("r")),
        ("dcgm.json", "dcgm.json", other, &[], None),
        ("dcgm.json", "dcgm.json", "", &["node-z", "train-0"], some("train-0")),
        ("dcgm.json", "dcgm.json", "", &["node-a"], some("node-a")),
        ("two-hosts-one-index.csv", "x.csv", "", &["node-a"], some("node-a")),
        ("pod_gpu_duty_cycle.csv", "duty.csv", "", &["pod-7f41"], some("pod-7f41")),
        ("two-cards.csv", "usage/ins-4k2m8x.csv", "", &["ins-4k2m8x"], some("ins-4k2m8x")),
        ("two-cards.csv", "usage/ins-4k2m8x_2026-09.csv", "", &["ins-4k2m8x"], some("ins-4k2m8x")),
        ("two-cards.csv", "usage/ins-4k2m8x/gpu.csv", "", &["ins-4k2m8x"], some("ins-4k2m8x")),
        ("two-cards.csv", "usage/gpu-1-a.csv", "", &["gpu-1", "gpu-1-a"], some("gpu-1-a")),
        ("two-cards.csv", "usage/gpu-10.csv", "", &["gpu-1"], None),
        ("two-cards.csv", "usage/gpu.csv", "", &["gpu"], None),
        ("roll-up.csv", "roll-up.csv", "", &[], some("ins-4k2m8x")),
    ];
    for (file, name, config, resources, expected) in cases {
        let (resource, untied) = tied_file(file, name, config, resources);
        assert_eq!(resource, expected, "{name} {config} {resources:?}");
        assert_eq!(
            untied.is_empty(),
            expected.is_some() && !file.contains("dcgm") && !file.contains("hosts") && !file.contains("pod_"),
            "{name}: {untied:?}"
        );
    }
}

#[test]
fn devices_that_nothing_ties_are_listed_in_order() {
    let (resource, untied) = tied("gpu.csv", "", &[]);
    assert_eq!(resource, None);
    assert_eq!(untied, ["GPU-6d1c2f0e-0b7a-4f7e-9d61-3a5e8c14b702", "GPU-e2a9b371-58d4-4c06-8b1f-7c20d95f6ea8"]);
}

#[test]
fn a_glob_that_is_none_is_refused() {
    let error = Config::parse("[[device]]\nresource = \"r\"\nfiles = [\"usage/[a.csv\"]", "kashi.toml").unwrap_err();
    assert!(
        error.to_string().starts_with("kashi.toml: [[device]] files = \"usage/[a.csv\" is not a glob: "),
        "{error}"
    );
}
