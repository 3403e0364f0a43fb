//! Book moves that the game before them makes worse than the book says: perpetual check and
//! repetition.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use komadai_bookfile::{BookFormat, BookReading, BookRecord, RecordMove, WriteOptions, write_book};
use komadai_core::{Move, Position, Score, SplitMix64, UsiPosition};
use komadai_engine::{BookPolicy, GamePlayer, OpeningBook, Settings};
use komadai_movegen::{MoveGen as _, Repetition, play};
use komadai_usi::{BestMove, EngineMessage, GoLimits};

use crate::gui::Gui;

/// White's king is chased by the rook: the last of these moves but one is Black's fourth check on
/// the same square but one.
const CHASED: &str = "sfen 9/R7k/6N2/6N1P/6N2/l8/+p8/1P7/KL7 w - 1 moves";
const CHASE: &str = "1b1a 9b9a 1a1b 9a9b 1b1a 9b9a 1a1b 9a9b 1b1a 9b9a 1a1b";

/// The same chase from its second position on, in which White completes the repetition.
const ESCAPED: &str = "sfen 8k/R8/6N2/6N1P/6N2/l8/+p8/1P7/KL7 b - 1 moves";
const ESCAPE: &str = "9b9a 1a1b 9a9b 1b1a 9b9a 1a1b 9a9b 1b1a 9b9a 1a1b 9a9b";

/// Rooks go back and forth: the next move of White makes the fourth occurrence of the start.
const SHUTTLE: &str = "startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h";

fn position_of(game: &str) -> Position {
    play(&UsiPosition::from_usi(game).expect("a game")).expect("legal moves")
}

/// The same game on the board turned by 180 degrees with the colours exchanged.
fn turned(game: &str) -> Position {
    let UsiPosition { setup, moves } = UsiPosition::from_usi(game).expect("a game");
    let moves = moves.into_iter().map(Move::flipped).collect();
    play(&UsiPosition { setup: setup.flipped(), moves }).expect("legal moves")
}

/// A book of one position.
fn book(
    folder: &Path,
    format: BookFormat,
    position: &Position,
    moves: &[(&str, Option<i32>)],
) -> PathBuf {
    let listed = moves.iter().map(|&(m, value)| {
        let mut listed = RecordMove::new(m.parse().expect("a move"));
        listed.score = value.map(Score::cp);
        listed.depth = value.map(|_| 30);
        listed
    });
    let mut record = BookRecord::with_moves(position.without_history(), []);
    record.moves.extend(listed);
    let path = folder.join(format!("book.{format}"));
    let records = [Ok::<_, komadai_bookfile::BookFileError>(record)];
    write_book(&path, format, records, &WriteOptions::default()).expect("it can be written");
    path
}

/// The move of a book and its value, for every way in which the book can be read and for both
/// colours.
fn chosen(game: &str, moves: &[(&str, Option<i32>)], draw: i32) -> Option<(String, Option<Score>)> {
    let position = position_of(game);
    let policy = BookPolicy {
        moves: 100,
        black_limit: -9_999,
        white_limit: -9_999,
        ..BookPolicy::default()
    };
    let folder = tempfile::tempdir().expect("a folder");
    let mut answers = Vec::new();
    for (format, reading) in [
        (BookFormat::Db, BookReading::Memory),
        (BookFormat::Db, BookReading::OnTheFly),
        (BookFormat::Ybb, BookReading::Memory),
        (BookFormat::Ybb, BookReading::OnTheFly),
    ] {
        let path = book(folder.path(), format, &position, moves);
        let book = OpeningBook::open(&path, reading).expect("a book");
        for (position, is_turned) in [(position.clone(), false), (turned(game), true)] {
            let mut random = SplitMix64::new(1);
            let found = book.choose(&position, &policy, Score::cp(draw), &mut random);
            answers.push(found.expect("no fault").map(|found| {
                let m = if is_turned { found.m.flipped() } else { found.m };
                // A .ybb has no moves without a value.
                let has_values = moves.iter().all(|(_, value)| value.is_some());
                (m.to_string(), found.analysis.score().filter(|_| has_values))
            }));
        }
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    answers.swap_remove(0)
}

#[test]
fn a_repetition_is_played_only_if_it_is_worth_what_the_book_promises() {
    let chase = format!("{CHASED} {CHASE}");
    let escape = format!("{ESCAPED} {ESCAPE}");
    let earlier = format!("{CHASED} 1b1a 9b9a 1a1b");
    let (fourth, other) = ("7b8b", "3c3d");
    type Case<'a> = (&'a str, &'a [(&'a str, Option<i32>)], i32, Option<(&'a str, Option<i32>)>);
    let cases: [Case<'_>; 17] = [
        // Perpetual check loses, whatever the value of the book and of a draw.
        (&chase, &[("9a9b", Some(100))], 0, None),
        (&chase, &[("9a9b", None)], 500, None),
        (&chase, &[("9a9b", Some(-900))], 500, None),
        (&chase, &[("9a9b", Some(100)), ("9a2a+", Some(90))], 0, Some(("9a2a+", Some(90)))),
        (&chase, &[("9a9b", Some(2_000)), ("9a2a+", Some(90))], 0, Some(("9a2a+", Some(90)))),
        // The side that is chased may complete it.
        (&escape, &[("1b1a", Some(-50))], 0, Some(("1b1a", Some(-50)))),
        // The second occurrence ends nothing.
        (&earlier, &[("9a9b", Some(100))], 0, Some(("9a9b", Some(100)))),
        // A draw.
        (SHUTTLE, &[(fourth, Some(-1))], -2, None),
        (SHUTTLE, &[(fourth, Some(2_600))], -2, None),
        (SHUTTLE, &[(fourth, None)], -2, None),
        (SHUTTLE, &[(fourth, Some(-2))], -2, Some((fourth, Some(-2)))),
        (SHUTTLE, &[(fourth, Some(-300))], -2, Some((fourth, Some(-2)))),
        (SHUTTLE, &[(fourth, Some(50))], 100, Some((fourth, Some(100)))),
        (SHUTTLE, &[(fourth, Some(50)), (other, Some(40))], -2, Some((other, Some(40)))),
        (SHUTTLE, &[(fourth, Some(-300)), (other, Some(-200))], -2, Some((fourth, Some(-2)))),
        // The other move is worse than the draw that the book takes for more.
        (SHUTTLE, &[(fourth, Some(50)), (other, Some(-200))], -2, None),
        (SHUTTLE, &[(fourth, None), (other, None)], -2, Some((other, None))),
    ];
    for (game, moves, draw, expected) in cases {
        let expected = expected.map(|(m, value)| (m.to_owned(), value.map(Score::cp)));
        assert_eq!(chosen(game, moves, draw), expected, "{moves:?} with {draw} in {game}");
    }
}

/// Settings with the book of a chase.
fn settings(folder: &Path) -> Settings {
    let position = position_of(&format!("{CHASED} {CHASE}"));
    let mut settings = Settings::default();
    (settings.hash_mib, settings.mate_hash_mib) = (1, 1);
    settings.book_files = vec![book(folder, BookFormat::Db, &position, &[("9a9b", Some(100))])];
    settings
}

#[test]
fn the_engine_mates_instead_also_after_a_hit() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = settings(folder.path()).book_files.remove(0);
    for reading in ["true", "false"] {
        let mut gui = Gui::new();
        gui.say(&format!("setoption name BookFile value {}", path.display()));
        gui.say(&format!("setoption name BookOnTheFly value {reading}"));
        gui.settle();
        let game = format!("{CHASED} {CHASE}");
        assert_eq!(gui.plays_legally(&game, "go nodes 2000").to_string(), "9a2a+");
        gui.say(&format!("position {game}"));
        gui.say("go ponder btime 10000 wtime 10000");
        gui.say("ponderhit");
        assert_eq!(gui.a_move().to_string(), "9a2a+");
        // One occurrence less: the book is played from.
        let before =
            format!("{CHASED} {}", CHASE.strip_suffix(" 9a9b 1b1a 9b9a 1a1b").expect("its end"));
        gui.say("usinewgame");
        assert_eq!(gui.plays_legally(&before, "go nodes 2000").to_string(), "9a9b");
        assert!(gui.heard.iter().any(|message| matches!(
            message,
            EngineMessage::Info(info) if info.to_string().contains("book: one of 1")
        )));
    }
}

#[test]
fn a_player_of_games_does_not_lose_by_its_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut settings = settings(folder.path());
    let records = ["1b1a", "1b1a 9b9a 1a1b"].map(|moves| {
        let position = position_of(&format!("{CHASED} {moves}")).without_history();
        let m = if moves.len() == 4 { "9b9a" } else { "9a9b" };
        let record = BookRecord::with_moves(position, [m.parse().expect("a move")]);
        Ok::<_, komadai_bookfile::BookFileError>(record)
    });
    let path = folder.path().join("chase.db");
    write_book(&path, BookFormat::Db, records, &WriteOptions::default())
        .expect("it can be written");
    settings.book_files = vec![path];
    let mut own = GamePlayer::new(settings).expect("a player");
    let limits = GoLimits::from_usi("nodes 200");
    let mut position = position_of(CHASED.trim_end_matches(" moves"));
    for _ in 0..20 {
        // White moves its king to and fro, and resigns where it cannot.
        let replies = ["1b1a", "1a1b"].map(|m| m.parse().expect("a move"));
        let Some(reply) = replies.into_iter().find(|&m| position.is_legal(m)) else { break };
        position.do_move(reply);
        assert_ne!(position.repetition(), Repetition::Win, "perpetual check: {position}");
        let choice = own.choose(&position, &limits, &Arc::default());
        let BestMove::Move { best, .. } = choice.best else { break };
        position.do_move(best);
        assert_ne!(position.repetition(), Repetition::Win, "perpetual check: {position}");
    }
}
