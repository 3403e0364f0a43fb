//! Sources refuse what they cannot understand, with its place.

use std::fs;
use std::path::Path;

use komadai_core::Position;
use komadai_data::Manifest;
use komadai_data::records::{Hcpe, RecordResult};
use komadai_data::tools::{
    Existing, Fault, FaultKind, Filter, OnDamage, Origin, Output, Sources, ToolError, Watch, filter,
};

use super::{Place, bytes, games, generated, open, read, sources};

/// Records of apery_rust, which are recognised but not read.
fn apery_rust(count: usize) -> Vec<u8> {
    let record = Hcpe::new(&Position::hirate(), 0, None, RecordResult::Draw).unwrap().to_bytes();
    [&record[..32], &[0; 10]].concat().repeat(count)
}

fn message(path: &Path) -> String {
    sources(&[path]).unwrap_err().to_string()
}

#[test]
fn bad_files_are_named() {
    let place = Place::new();
    let empty = place.write("empty.psv", &[]);
    assert!(matches!(sources(&[&empty]), Err(ToolError::Empty { path }) if path == empty));
    let absent = place.path("absent.psv");
    assert!(matches!(sources(&[&absent]), Err(ToolError::Io { path, .. }) if path == absent));

    let records = games(1, 1).concat();
    let cut = place.path("cut.psv");
    fs::write(&cut, &bytes(&records)[..records.len() * 40 - 7]).unwrap();
    let (last, offset) = (records.len(), (records.len() - 1) * 40);
    let expected = format!(
        "cut.psv: record {last} at byte {offset}: the file ends after 33 of 40 bytes of a record"
    );
    assert!(message(&cut).ends_with(&expected), "{}", message(&cut));
    assert_eq!(open(&[&cut], OnDamage::Skip).unwrap().records(), records.len() as u64 - 1);

    let foreign = place.path("other.psv");
    fs::write(&foreign, apery_rust(40)).unwrap();
    let expected = "the file is of the format HuffmanCodedPositionAndEval of apery_rust";
    assert!(message(&foreign).contains(expected), "{}", message(&foreign));
    // A good file is not refused with it.
    let good = place.write("good.psv", &records);
    let both = open(&[&foreign, &good], OnDamage::Skip).unwrap();
    assert_eq!(both.records(), records.len() as u64);
    assert_eq!(both.damage().counts()[&FaultKind::Format], 1);
    assert!(matches!(sources(&[&good, &good]), Err(ToolError::Twice { .. })));
}

#[test]
fn bad_folders_are_named() {
    let place = Place::new();
    let folder = place.path("data");
    fs::create_dir(&folder).unwrap();
    assert!(
        matches!(sources(&[&folder]), Err(ToolError::NoManifest { folder: found }) if found == folder)
    );
    let manifest = folder.join("manifest.json");
    fs::write(&manifest, r#"{"format": "komadai training data 2", "runs": [], "shards": []}"#)
        .unwrap();
    assert!(
        message(&folder).contains("found format \"komadai training data 2\""),
        "{}",
        message(&folder)
    );
    fs::write(&manifest, r#"{"format": "komadai training data 1", "runs": [], "shards": []}"#)
        .unwrap();
    assert!(matches!(sources(&[&folder]), Err(ToolError::Empty { .. })));
}

#[test]
fn a_damaged_shard_costs_only_itself() {
    let place = Place::new();
    let folder = place.path("data");
    generated(&folder, "material");
    let manifest = Manifest::read(&folder.join("manifest.json")).unwrap();
    let shards = manifest.shards();
    assert!(shards.len() >= 3, "{}", shards.len());
    assert_eq!(sources(&[&folder]).unwrap().records(), manifest.positions());

    let first = folder.join(&shards[0].file);
    let mut changed = fs::read(&first).unwrap();
    changed[33] ^= 1;
    fs::write(&first, changed).unwrap();
    let Err(ToolError::Damaged(damaged)) = sources(&[&folder]) else { panic!("it is damaged") };
    assert_eq!(damaged.path, first);
    assert!(
        matches!(&damaged.fault, Fault::Hash { expected, .. } if *expected == shards[0].sha256)
    );
    let second = folder.join(&shards[1].file);
    fs::write(&second, &fs::read(&second).unwrap()[40..]).unwrap();
    let rest = open(&[&folder], OnDamage::Skip).unwrap();
    let expected = manifest.positions() - shards[0].positions - shards[1].positions;
    assert_eq!(rest.records(), expected);
    let kinds: Vec<FaultKind> = rest.damage().counts().keys().copied().collect();
    assert_eq!(kinds, [FaultKind::Length, FaultKind::Hash]);
    fs::remove_file(&first).unwrap();
    let rest = open(&[&folder], OnDamage::Skip).unwrap();
    assert_eq!(rest.records(), expected);
    assert_eq!(rest.damage().counts()[&FaultKind::Missing], 1);
}

#[test]
fn an_unfinished_shard_is_read_up_to_its_last_whole_record() {
    let place = Place::new();
    let folder = place.path("data");
    generated(&folder, "material");
    let before = sources(&[&folder]).unwrap().records();
    let records = games(1, 3).concat();
    let part = folder.join("00009.psv.part");
    fs::write(&part, [bytes(&records), vec![1; 13]].concat()).unwrap();
    assert_eq!(sources(&[&folder]).unwrap().records(), before + records.len() as u64);
    let alone = sources(&[&part]).unwrap();
    assert_eq!(alone.records(), records.len() as u64);
    // The generator continues, and completes the file, while a tool is at work.
    fs::write(folder.join("00009.psv"), bytes(&games(2, 3).concat())).unwrap();
    fs::remove_file(&part).unwrap();
    let output = place.output("out.psv");
    filter(&alone, output, &Filter::default(), &mut Watch::none()).unwrap();
    assert_eq!(read(&place.path("out.psv")), records);
}

#[test]
fn mixed_versions_are_named() {
    let place = Place::new();
    let (first, second) = (place.path("first"), place.path("second"));
    generated(&first, "material");
    generated(&second, "another");
    let message = sources(&[&first, &second]).unwrap_err().to_string();
    for part in ["first/00000.psv", "evaluation material", "second/00000.psv", "evaluation another"]
    {
        assert!(message.contains(part), "{message}");
    }
    // A file that a tool has made remembers the versions.
    filter(
        &sources(&[&first]).unwrap(),
        place.output("kept.psv"),
        &Filter::default(),
        &mut Watch::none(),
    )
    .unwrap();
    let error = sources(&[&place.path("kept.psv"), &second]).unwrap_err();
    assert!(matches!(error, ToolError::Mixed { .. }), "{error}");
    // Files of unknown origin are not mixed with anything.
    let foreign = place.write("foreign.psv", &games(1, 2).concat());
    sources(&[&foreign, &second]).unwrap();
}

#[test]
fn outputs_appear_whole_and_with_their_origin() {
    let place = Place::new();
    let records = games(2, 5).concat();
    let input = place.write("in.psv", &records);
    let found = sources(&[&input]).unwrap();
    let path = place.path("out.psv");
    let (origin, _) =
        filter(&found, place.output("out.psv"), &Filter::default(), &mut Watch::none()).unwrap();
    assert_eq!(Origin::read_of(&path).unwrap(), Some(origin.clone()));
    assert_eq!((origin.records, origin.read), (records.len() as u64, records.len() as u64));
    assert_eq!(origin.inputs[0].sha256.as_deref(), found.inputs()[0].sha256());
    assert_eq!(place.names(), ["in.psv", "out.psv", "out.psv.json"]);

    let refused = Output::create(&path, Existing::Refuse);
    assert!(matches!(refused, Err(ToolError::Exists { .. })), "{refused:?}");
    let output = Output::create(&input, Existing::Replace).unwrap();
    let error = filter(&found, output, &Filter::default(), &mut Watch::none()).unwrap_err();
    assert!(matches!(error, ToolError::OutputIsInput { .. }), "{error}");
    assert_eq!(read(&input), records);
    let output = Output::create(&path, Existing::Replace).unwrap();
    let second = Output::create(&path, Existing::Replace);
    assert!(matches!(second, Err(ToolError::Busy { .. })), "{second:?}");
    filter(&found, output, &Filter::default(), &mut Watch::none()).unwrap();
    assert_eq!(place.names(), ["in.psv", "out.psv", "out.psv.json"]);

    // The note states the content, so that a changed file is noticed.
    let mut changed = fs::read(&path).unwrap();
    changed[41] ^= 1;
    fs::write(&path, changed).unwrap();
    let error = sources(&[&path]).unwrap_err();
    assert!(
        matches!(&error, ToolError::Damaged(damaged) if damaged.fault.kind() == FaultKind::Hash)
    );
    fs::write(Origin::path_of(&path), "{}").unwrap();
    assert!(matches!(sources(&[&path]), Err(ToolError::Note { .. })));
}

#[test]
fn a_stopped_tool_leaves_nothing() {
    let place = Place::new();
    let input = place.write("in.psv", &games(2, 5).concat());
    let found = sources(&[&input]).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(true);
    let mut ignore = |_| {};
    let mut watch = Watch::new(&stop, &mut ignore);
    let error =
        filter(&found, place.output("out.psv"), &Filter::default(), &mut watch).unwrap_err();
    assert!(matches!(error, ToolError::Stopped), "{error}");
    assert_eq!(place.names(), ["in.psv"]);
}

#[test]
fn foreign_files_are_no_data_with_much_damage() {
    let place = Place::new();
    let good = place.write("good.psv", &games(1, 1).concat());
    let foreign = [
        ("apery.psv", apery_rust(40), "the file is of the format HuffmanCodedPositionAndEval"),
        ("zeros.psv", vec![0; 40 * 50], "zeros.psv: record 1 at byte 0: "),
        ("text.csa", "V2.2\nPI\n+\n".repeat(70).into_bytes(), "text.csa: record "),
        ("ones.bin", vec![0xff; 4_000], "ones.bin: record 1 at byte 0: "),
        ("json.psv", br#"{"moves":[{},{"move":"7g7f"}]}  "#.repeat(33), "json.psv: record "),
    ];
    for (name, content, named) in foreign {
        let path = place.path(name);
        fs::write(&path, content).unwrap();
        let found = open(&[&path], OnDamage::Skip).unwrap();
        let mut watch = Watch::none();
        let errors = [
            komadai_data::tools::statistics(&found, &mut watch).map(drop).unwrap_err(),
            found.check_order(&mut watch).unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(error, ToolError::NothingSound { .. }), "{name}: {error}");
            assert!(error.to_string().contains(named), "{name}: {error}");
        }
        // A validation lists all of it, and another file is read.
        let checked = komadai_data::tools::validate(&found, &mut watch).unwrap();
        assert!(!checked.damage.is_empty(), "{name}");
        let both = open(&[&path, &good], OnDamage::Skip).unwrap();
        let (statistics, damage) = komadai_data::tools::statistics(&both, &mut watch).unwrap();
        assert!(statistics.records > 0 && !damage.is_empty(), "{name}");
    }
}

#[test]
fn a_folder_without_records_can_be_validated() {
    let place = Place::new();
    let folder = place.path("data");
    let validated = || {
        let found = Sources::find_even_empty(std::slice::from_ref(&folder), OnDamage::Skip)?;
        let found = komadai_data::tools::validate(&found, &mut Watch::none())?;
        assert!(found.damage.is_empty());
        Ok::<_, ToolError>(found.files.len())
    };
    fs::create_dir(&folder).unwrap();
    assert!(matches!(validated(), Err(ToolError::NoManifest { .. })), "not of a generator");
    // The states of a folder after a generator was killed at its start.
    fs::write(folder.join("lock"), "").unwrap();
    assert_eq!(validated().unwrap(), 0);
    fs::write(folder.join("00000.psv.part"), "").unwrap();
    assert_eq!(validated().unwrap(), 0);
    let manifest = r#"{"format": "komadai training data 1", "runs": [], "shards": []}"#;
    fs::write(folder.join("manifest.json"), manifest).unwrap();
    assert_eq!(validated().unwrap(), 0);
    fs::write(folder.join("00000.psv.part"), [7; 39]).unwrap();
    assert_eq!(validated().unwrap(), 0, "a record that is being written");
    // All other tools need records.
    assert!(matches!(sources(&[&folder]), Err(ToolError::Empty { path }) if path == folder));
}
