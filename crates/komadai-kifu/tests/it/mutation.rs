//! Damaged samples of all formats: no panic, no hang, and what was read is written and read as the
//! same.
//!
//! The same seed makes the same damage in each run. `KOMADAI_MUTATIONS=1000000 KOMADAI_SEED=7` asks
//! for more of it.

use std::time::{Duration, Instant};

use komadai_core::SplitMix64;
use komadai_kifu::{GameReader, KifuFormat, Tolerance, parse_csa, parse_records};
use komadai_testdata::kifu::{jkf_samples, ki2_samples, kif_samples, samples};

use super::written_again::{FORMATS, read_again};

/// Texts that mean something in one of the formats.
const WORDS: [&str; 48] = [
    "変化：3手\n",
    "\n",
    "\r",
    "*",
    "&",
    "#",
    "#KIF version=2.0 encoding=Shift_JIS\n",
    "手合割：六枚落ち\n",
    "手合割：詰将棋\n",
    "後手の持駒：飛二　歩十八\n",
    "|v香v桂 ・ ・v玉 ・ ・ ・ ・|一\n",
    "上手番\n",
    "まで3手で先手の勝ち\n",
    "   3 投了+\n",
    " 7 ７六歩(77)\n",
    "同　",
    "成",
    "不成",
    "打",
    "(00)",
    "（７７）",
    "左上",
    "直",
    "▲",
    "△５八金右",
    "( 0:16/00:00:16)",
    "開始日時：2024\n",
    "V2.2\n",
    "PI\n",
    "P-00AL\n",
    "+\n",
    "-3334FU\n",
    "+7776FU,",
    "T12\n",
    "%TORYO\n",
    "%MATTA\n",
    "'*comment\n",
    "'** 30 -3334FU\n",
    "/\n",
    "$NOTE:a\\nb\\\\\n",
    " moves 7g7f",
    "resign",
    ",",
    "{}",
    "\"forks\":[[",
    "null",
    "~1.6y2.r",
    "999999999",
];

/// The time that one mutation may take on a busy machine.
const LONGEST: Duration = Duration::from_secs(10);

/// A sample: its format and its bytes.
type Sample = (KifuFormat, Vec<u8>);

fn sample_texts() -> Vec<Sample> {
    let of = |format| move |sample: komadai_testdata::kifu::Sample| (format, sample.bytes.to_vec());
    let mut all: Vec<Sample> = samples().map(of(KifuFormat::Csa)).collect();
    all.extend(kif_samples().map(of(KifuFormat::Kif)));
    all.extend(ki2_samples().map(of(KifuFormat::Ki2)));
    all.extend(jkf_samples().map(of(KifuFormat::Jkf)));
    for sample in samples() {
        for game in parse_csa(sample.bytes, Tolerance::Lenient).unwrap().records {
            all.push((KifuFormat::Usi, game.to_usi_line().into_bytes()));
            all.push((KifuFormat::Usen, game.to_usen().into_bytes()));
        }
    }
    all.retain(|(format, _)| FORMATS.contains(format));
    all
}

/// A part of the text: some lines, or some bytes.
fn part(bytes: &[u8], random: &mut SplitMix64) -> std::ops::Range<usize> {
    let at = |random: &mut SplitMix64| random.below(bytes.len() as u64 + 1) as usize;
    let (mut start, mut end) = (at(random), at(random));
    if start > end {
        std::mem::swap(&mut start, &mut end);
    }
    end = end.min(start + 1 + random.below(200) as usize).min(bytes.len());
    if random.below(2) == 0 {
        let line_start =
            |at: usize| bytes[..at].iter().rposition(|&b| b == b'\n').map_or(0, |n| n + 1);
        (start, end) = (line_start(start), line_start(end));
    }
    start..end
}

/// Changes a text in one way.
fn damage(bytes: &mut Vec<u8>, others: &[Sample], random: &mut SplitMix64) {
    let range = part(bytes, random);
    match random.below(9) {
        0 | 1 => {
            for _ in 0..=random.below(4) {
                if let Some(at) = random
                    .below(bytes.len().max(1) as u64)
                    .try_into()
                    .ok()
                    .filter(|&at: &usize| at < bytes.len())
                {
                    bytes[at] = random.next_u64() as u8;
                }
            }
        }
        2 => {
            bytes.drain(range);
        }
        3 => bytes.truncate(range.end),
        4 => {
            let copy = bytes[range.clone()].repeat(1 + random.below(3) as usize);
            bytes.splice(range.start..range.start, copy);
        }
        5 => {
            // A part moves to another place: lines are swapped.
            let moved: Vec<u8> = bytes.drain(range).collect();
            let to = part(bytes, random).start;
            bytes.splice(to..to, moved);
        }
        6 => {
            let (_, other) = &others[random.below(others.len() as u64) as usize];
            let other = other[part(other, random)].to_vec();
            bytes.splice(range, other);
        }
        _ => {
            let word = WORDS[random.below(WORDS.len() as u64) as usize];
            bytes.splice(range.start..range.start, word.bytes());
        }
    }
}

/// Reads a damaged text in all ways, and writes what was read in all formats.
fn survive(format: KifuFormat, bytes: &[u8], others: bool) -> Result<(), String> {
    let _ = parse_records(bytes, format, Tolerance::Strict);
    let Ok(loaded) = parse_records(bytes, format, Tolerance::Lenient) else { return Ok(()) };
    for record in loaded.records.iter().take(2) {
        read_again(record, format)?;
        for &other in FORMATS.iter().filter(|&&other| others && other != format) {
            read_again(record, other)?;
        }
    }
    if others {
        if let Ok(games) = GameReader::new(bytes, Tolerance::Lenient) {
            let _ = games.count();
        }
        for &other in FORMATS {
            let _ = parse_records(bytes, other, Tolerance::Lenient);
        }
    }
    Ok(())
}

fn number_from(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// Runs `count` mutations of the samples of some formats.
fn run(formats: &[KifuFormat], count: u64) {
    let all = sample_texts();
    let own: Vec<&Sample> = all.iter().filter(|(format, _)| formats.contains(format)).collect();
    let seed = number_from("KOMADAI_SEED", 1);
    for number in 0..number_from("KOMADAI_MUTATIONS", count) {
        let mut random = SplitMix64::new(SplitMix64::mix(seed).wrapping_add(number));
        let (format, bytes) = own[random.below(own.len() as u64) as usize];
        let mut bytes = bytes.clone();
        for _ in 0..=random.below(4) {
            damage(&mut bytes, &all, &mut random);
        }
        let begun = Instant::now();
        let survived = survive(*format, &bytes, number % 16 == 0);
        // The slowest takes some milliseconds; a hang or a quadratic loop takes seconds.
        assert!(begun.elapsed() < LONGEST, "{format:?}, mutation {number} of seed {seed}");
        if let Err(fault) = survived {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            panic!("{format:?}, mutation {number} of seed {seed}: {fault}\n\nfrom\n{text}");
        }
    }
}

#[test]
fn damaged_csa_is_survived_and_written_back() {
    run(&[KifuFormat::Csa], 5_000);
}

#[test]
fn damaged_kif_is_survived_and_written_back() {
    run(&[KifuFormat::Kif], 5_000);
}

#[test]
fn damaged_ki2_is_survived_and_written_back() {
    run(&[KifuFormat::Ki2], 4_000);
}

#[test]
fn damaged_usi_and_usen_are_survived_and_written_back() {
    run(&[KifuFormat::Usi, KifuFormat::Usen], 4_000);
}

#[cfg(feature = "jkf")]
#[test]
fn damaged_jkf_is_survived_and_written_back() {
    run(&[KifuFormat::Jkf], 3_000);
}
