//! Validation finds each planted damage, and nothing else.

use std::fs;

use komadai_data::tools::{FaultKind, OnDamage, Sources, Watch, validate};

use super::{Place, bytes, games, generated};

/// A record, the bytes of it that are changed, and the damage.
type Planted = (usize, &'static [(usize, u8)], FaultKind);

#[test]
fn each_planted_damage_is_found_with_its_place() {
    let place = Place::new();
    // More than a block of the reader.
    let records = games(150, 11).concat();
    assert!(records.len() > 5_000);
    let mut content = bytes(&records);
    let damage: [Planted; 6] = [
        (0, &[(38, 2)], FaultKind::Result),
        (7, &[(34, 0xff), (35, 0xff)], FaultKind::MoveBits),
        (100, &[(0, 0xfe), (1, 0xff)], FaultKind::Position),
        // A drop of a pawn onto the king's square, or a move from an empty square.
        (4_500, &[(34, 0x81), (35, 0x40)], FaultKind::IllegalMove),
        (4_501, &[(32, 0), (33, 0x80)], FaultKind::Score),
        (4_502, &[(38, 0x80)], FaultKind::Result),
    ];
    for (record, changes, _) in damage {
        for (at, value) in changes {
            content[record * 40 + at] = *value;
        }
    }
    content.extend([0; 5]);
    let path = place.path("damaged.psv");
    fs::write(&path, &content).unwrap();
    let sources = Sources::find(std::slice::from_ref(&path), OnDamage::Skip).unwrap();
    let found = validate(&sources, &mut Watch::none()).unwrap();
    let mut places: Vec<(u64, FaultKind)> = found
        .damage
        .first()
        .iter()
        .map(|damaged| (damaged.record.unwrap() - 1, damaged.fault.kind()))
        .collect();
    places.sort();
    let mut expected: Vec<(u64, FaultKind)> =
        damage.iter().map(|(record, _, kind)| (*record as u64, *kind)).collect();
    expected.push((records.len() as u64, FaultKind::Truncated));
    assert_eq!(places, expected);
    assert_eq!(found.damage.total(), 7);
    assert_eq!(found.files[0].records, records.len() as u64);
    assert_eq!(found.files[0].sound, records.len() as u64 - 6);
}

#[test]
fn sound_data_have_no_damage() {
    let place = Place::new();
    let folder = place.path("data");
    generated(&folder, "material");
    let sources = Sources::find(std::slice::from_ref(&folder), OnDamage::Refuse).unwrap();
    let found = validate(&sources, &mut Watch::none()).unwrap();
    assert!(found.damage.is_empty(), "{:?}", found.damage);
    assert!(found.files.iter().all(|file| file.records == file.sound));

    // A change that no rule forbids shows in the hash alone; scores beyond mate do not occur in
    // self-play.
    let shard = folder.join("00001.psv");
    let mut content = fs::read(&shard).unwrap();
    content[40 + 32..40 + 34].copy_from_slice(&32_001_i16.to_le_bytes());
    fs::write(&shard, content).unwrap();
    let found = validate(&sources, &mut Watch::none()).unwrap();
    let kinds: Vec<FaultKind> = found.damage.counts().keys().copied().collect();
    assert_eq!(kinds, [FaultKind::Hash, FaultKind::Score]);
    assert_eq!(found.damage.total(), 2);
}
