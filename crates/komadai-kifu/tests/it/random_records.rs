//! Records for property tests: random legal games with texts of all kinds, variations and ends.

use std::time::Duration;

use komadai_core::{Color, Handicap, Move, Position, Setup, SplitMix64};
use komadai_kifu::{Comment, End, EndKind, HeaderKey, Line, Record, RecordMove};
use komadai_movegen::MoveGen as _;
use proptest::prelude::*;

/// Texts with the syntax of all formats, and characters that some encodings lack.
const TEXTS: [&str; 42] = [
    "A",
    "棋士 名人",
    "変化：3手",
    "変化:3手",
    "'",
    "*",
    "**",
    "&",
    "#",
    ",",
    "a, b'c",
    "%TORYO",
    "+7776FU",
    "/",
    "$EVENT:x",
    "V2.2",
    "PI",
    "T12",
    "encoding=UTF-8",
    "CSA encoding=Shift_JIS",
    "KIF version=2.0 encoding=UTF-8",
    "1 ７六歩(77)",
    "▲７六歩",
    "まで12手で先手の勝ち",
    "手合割：二枚落ち",
    "開始日時：2024/01/01",
    "* 30 -3334FU #12",
    "評価値=30",
    "",
    "two\nlines",
    "three\r\nlines\n*of text",
    "表ソ能",
    "😀☗☖",
    "\\n \\\\ \\",
    "\"{}\"",
    "startpos moves 7g7f",
    "~0.7ku.r",
    "first：second:third",
    "|v香|",
    "（７７）",
    "summary:toryo:A win:B lose",
    "summary:abnormal:A lose:A win",
];

fn text(random: &mut SplitMix64) -> String {
    let pick = |random: &mut SplitMix64| TEXTS[random.below(TEXTS.len() as u64) as usize];
    let first = pick(random).to_owned();
    if random.below(3) == 0 { first + pick(random) } else { first }
}

fn header_key(random: &mut SplitMix64) -> HeaderKey {
    use HeaderKey as Key;
    match random.below(24) {
        0 | 1 => Key::Black,
        2 | 3 => Key::White,
        4 => Key::Event,
        5 => Key::Title,
        6 => Key::Site,
        7 => Key::Date,
        8 => Key::StartTime,
        9 => Key::EndTime,
        10 => Key::Opening,
        11 => Key::TimeLimit,
        12 => Key::TimeControl,
        13 => Key::BlackTimeControl,
        14 => Key::Byoyomi,
        15 => Key::TimeUsed,
        16 => Key::MaxMoves,
        17 => Key::ImpasseRule,
        18 => Key::Published,
        19 => Key::Note,
        20 => Key::Composer,
        21 => Key::Custom("対局ID".to_owned()),
        22 => Key::Custom("NEW_KEY".to_owned()),
        _ => Key::Custom(text(random)),
    }
}

fn end_kind(random: &mut SplitMix64) -> EndKind {
    use EndKind as Kind;
    let winner = [Color::Black, Color::White][random.below(2) as usize];
    match random.below(21) {
        0 => Kind::Checkmate,
        1 => Kind::NoMate,
        2 => Kind::TimeUp,
        3 => Kind::IllegalLoss,
        4 => Kind::IllegalWin,
        5 => Kind::EnteringKingWin,
        6 => Kind::Repetition,
        7 => Kind::Impasse,
        8 => Kind::Draw,
        9 => Kind::MaxMoves,
        10 => Kind::Interrupt,
        11 => Kind::Error,
        12 => Kind::Other("封じ手".to_owned()),
        13 => Kind::Other(text(random)),
        14 => Kind::PerpetualCheckLoss,
        15 => Kind::PerpetualCheckWin,
        16 => Kind::Win { winner, reason: "不戦勝".to_owned() },
        17 => Kind::Win { winner, reason: text(random) },
        _ => Kind::Resign,
    }
}

fn comments(random: &mut SplitMix64) -> Vec<Comment> {
    let count = if random.below(6) == 0 { 1 + random.below(3) } else { 0 };
    let comment = |random: &mut SplitMix64| match random.below(4) {
        0 => Comment::Remark(text(random)),
        _ => Comment::Note(text(random)),
    };
    (0..count).map(|_| comment(random)).collect()
}

fn time(random: &mut SplitMix64) -> Option<Duration> {
    match random.below(5) {
        0 => None,
        1 => Some(Duration::from_millis(random.below(10_000))),
        2 => Some(Duration::from_secs(random.below(1_000_000))),
        _ => Some(Duration::from_secs(random.below(600))),
    }
}

/// Plays random legal moves from a position, with what belongs to them.
fn play(position: &mut Position, count: u64, random: &mut SplitMix64) -> Vec<RecordMove> {
    let mut played = Vec::new();
    for _ in 0..count {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m: Move = moves[random.below(moves.len() as u64) as usize];
        position.do_move(m);
        let mut move_of_game = RecordMove::new(m);
        move_of_game.time = time(random);
        move_of_game.comments = comments(random);
        move_of_game.bookmark = (random.below(12) == 0).then(|| text(random));
        played.push(move_of_game);
    }
    played
}

fn end(random: &mut SplitMix64) -> Option<End> {
    (random.below(3) > 0).then(|| {
        let mut end = End::new(end_kind(random));
        end.time = time(random);
        end.comments = comments(random);
        end
    })
}

/// A start: the even game, a handicap, or a position that was reached with or without some of its
/// pieces.
fn start(reached: Position, random: &mut SplitMix64) -> Setup {
    match random.below(4) {
        0 => Handicap::ALL[random.below(Handicap::ALL.len() as u64) as usize].to_setup(),
        1 => reached.to_setup(),
        _ => Setup::hirate(),
    }
}

/// Appends a variation at a random place, which leaves the line that it is said to leave.
fn add_variation(record: &mut Record, start: &Position, random: &mut SplitMix64) {
    let lines = record.variations.len() as u64 + 1;
    let parent = match random.below(lines) {
        0 => Line::Main,
        index => Line::Variation(index as usize - 1),
    };
    let first = record.first_ply(parent);
    // After the last move of a line only an end is replaced: without one, the line would go on.
    let places = record.moves_of(parent).len() as u64 + u64::from(record.end_of(parent).is_some());
    if places == 0 {
        return;
    }
    let ply = first + random.below(places) as usize;
    let mut position = start.clone();
    record.path(parent)[..ply - 1].iter().for_each(|played| position.do_move(played.m));
    let count = 1 + random.below(6);
    let mut moves = play(&mut position, count, random);
    // A line that is there already is no variation.
    let line = record.add_variation(parent, ply).expect("the place is one of the line");
    let before: Vec<Move> = record.path(line).iter().map(|played| played.m).collect();
    let lines =
        std::iter::once(Line::Main).chain((0..record.variations.len() - 1).map(Line::Variation));
    let is_known = |m: Move| {
        lines.clone().any(|other| {
            let path = record.path(other);
            path.len() >= ply
                && path[ply - 1].m == m
                && path[..ply - 1].iter().map(|p| p.m).eq(before.iter().copied())
        })
    };
    if moves.first().is_none_or(|first| is_known(first.m)) {
        record.variations.pop();
        return;
    }
    *record.end_of_mut(line) = if random.below(2) == 0 { None } else { end(random) };
    record.moves_of_mut(line).append(&mut moves);
}

/// A record of a legal game.
pub(crate) fn records() -> impl Strategy<Value = Record> {
    (any::<u64>(), super::random_play::incomplete()).prop_map(|(seed, reached)| {
        let mut random = SplitMix64::new(seed);
        let mut record = Record::new(start(reached, &mut random));
        for _ in 0..random.below(5) {
            let key = header_key(&mut random);
            record.header.push(key, text(&mut random));
        }
        record.comments = comments(&mut random);
        record.bookmark = (random.below(4) == 0).then(|| text(&mut random));
        let start = Position::from_setup(&record.setup).expect("a start is legal");
        let mut position = start.clone();
        let count = random.below(40);
        record.moves = play(&mut position, count, &mut random);
        record.end = end(&mut random);
        for _ in 0..random.below(6) {
            add_variation(&mut record, &start, &mut random);
        }
        record
    })
}
