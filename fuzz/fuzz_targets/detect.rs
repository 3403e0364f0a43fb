//! A text of any format is detected and read; what was read is written in all formats and read as
//! the same.

#![no_main]

use komadai_fuzz::kifu::{FORMATS, written_again};
use komadai_kifu::{GameReader, KifuFormat, Record, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let detected = KifuFormat::detect(bytes);
    let Ok(games) = GameReader::new(bytes, Tolerance::Lenient) else {
        assert!(!matches!(detected, Some(KifuFormat::Csa | KifuFormat::Kif | KifuFormat::Ki2)));
        return;
    };
    let games: Vec<Record> = games.flatten().take(2).collect();
    for (game, format) in games.iter().flat_map(|game| FORMATS.map(|format| (game, format))) {
        written_again(game, format);
    }
});
