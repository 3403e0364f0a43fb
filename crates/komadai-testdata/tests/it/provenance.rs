//! Every data file has a known origin, and every listed origin has its file.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const SAMPLES: &str = "kifu/samples/";

fn data() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/data"))
}

/// The files below `folder`, as paths relative to it with forward slashes.
fn files(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let entry = entry.expect("the entry can be read");
        let name = entry.file_name().into_string().expect("names are Unicode");
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{prefix}{name}/"), found);
        } else {
            found.insert(format!("{prefix}{name}"));
        }
    }
}

/// The first cells of the tables of `PROVENANCE.md`, where they are paths.
fn listed(markdown: &str) -> BTreeSet<String> {
    markdown
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(path, _)| path.to_owned())
        .collect()
}

#[test]
fn provenance_lists_every_file() {
    let mut present = BTreeSet::new();
    files(data(), "", &mut present);
    present.remove("PROVENANCE.md");
    present.retain(|file| !file.starts_with(SAMPLES));

    let markdown = fs::read_to_string(data().join("PROVENANCE.md")).expect("the list can be read");
    let mut listed = listed(&markdown);
    assert!(listed.remove(SAMPLES));
    assert_eq!(present, listed);
}

#[test]
fn every_record_file_is_listed_and_embedded() {
    let mut present = BTreeSet::new();
    files(&data().join(SAMPLES), "", &mut present);

    let table = fs::read_to_string(data().join("kifu/PROVENANCE.tsv")).expect("a readable table");
    let listed: BTreeSet<String> = table
        .lines()
        .skip(1)
        .map(|row| row.split('\t').next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(present, listed);

    use komadai_testdata::kifu::{jkf_samples, ki2_samples, kif_samples, samples};
    let samples = samples().chain(jkf_samples()).chain(kif_samples()).chain(ki2_samples());
    let embedded: BTreeSet<String> = samples.map(|sample| sample.name.to_owned()).collect();
    assert_eq!(present, embedded);
}

#[test]
fn the_data_stays_small() {
    let mut present = BTreeSet::new();
    files(data(), "", &mut present);
    let bytes: u64 = present
        .iter()
        .map(|file| fs::metadata(data().join(file)).expect("a readable file").len())
        .sum();
    assert!(bytes < 3_000_000, "{bytes} bytes");
}
