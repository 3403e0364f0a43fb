//! Generations of games, extension and pruning, with players and analysts that choose moves at
//! random.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use komadai_book::arena::{Arena, ArenaError, BookChoice, MatchOrder, MatchReport, PlayedBefore};
use komadai_book::games::{GameWalk, KnownMoves, PruneOptions, PruneScope, UseOptions};
use komadai_book::generation::{ExtensionOptions, Generation, GenerationEvent, GenerationOptions};
use komadai_book::queue::JobSettings;
use komadai_book::{GrowEvent, GrowOptions, LoggedAnalysis, WorkingBook};
use komadai_bookgraph::BookGame;
use komadai_core::{
    Analysis, Analyst, AnalystError, AnalystId, Budget, Color, Line, Move, Position, Score, Setup,
    SplitMix64, UsiPosition,
};
use komadai_movegen::{MoveGen, MoveList, generate_legal};

/// Returns the first number of the generator with this seed.
fn random(seed: u64) -> u64 {
    SplitMix64::new(seed).next_u64()
}

/// Returns a pseudo-random legal move that depends on the position and the salt only.
fn dice(position: &Position, salt: u64) -> Move {
    let mut moves = MoveList::new();
    generate_legal(position, &mut moves);
    moves[(random(position.key() ^ random(salt)) % moves.len() as u64) as usize]
}

/// Analyses each position as two moves; the first is better by ten centipawns.
struct TwoMoves {
    analyses: usize,
}

impl Analyst for TwoMoves {
    fn identity(&self) -> AnalystId {
        AnalystId::new("two moves", "1")
    }

    fn analyse(&mut self, position: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
        self.analyses += 1;
        let (first, second) = (dice(position, 1), dice(position, 2));
        let cp = (position.key() % 100) as i32;
        let line = |m: Move, cp: i32| Line::exact(Score::cp(cp), [m].into_iter().collect());
        let mut lines = vec![line(first, cp)];
        if second != first {
            lines.push(line(second, cp - 10));
        }
        Ok(Analysis { lines, nodes: 5, ..Analysis::default() })
    }
}

/// Plays games of forty plies with pseudo-random moves; each opponent always replies in the same
/// way.
struct DiceArena {
    /// The number of games after which the arena fails.
    most: usize,
    /// Returns true if the book's side wins the game with this number.
    wins: fn(number: u32) -> bool,
    played: usize,
}

impl DiceArena {
    fn new() -> Self {
        Self { most: usize::MAX, wins: |number| number % 3 == 0, played: 0 }
    }

    fn game(&self, number: u32, order: &MatchOrder, book: &dyn KnownMoves) -> BookGame {
        let book_side = [Color::Black, Color::White][number as usize % 2];
        let start = Position::hirate();
        let (mut position, mut moves, mut left_at) = (start.clone(), Vec::new(), None);
        while moves.len() < 40 && position.has_legal_move() {
            let m = if position.side() == book_side {
                let known = book.known_moves(&position).unwrap_or_default();
                let of_book = order.choice.choose(&known, random(number.into()));
                if of_book.is_none() && left_at.is_none() {
                    left_at = Some(moves.len() as u32);
                }
                of_book.unwrap_or_else(|| dice(&position, 9))
            } else {
                dice(&position, u64::from(number / 2 % 2))
            };
            position.do_move(m);
            moves.push(m);
        }
        BookGame {
            start: start.to_setup(),
            times_ms: vec![1; moves.len()],
            scores: Vec::new(),
            moves,
            book_side,
            winner: Some(if (self.wins)(number) { book_side } else { !book_side }),
            opponent: format!("dice {}", number / 2 % 2),
            generation: order.generation,
            left_at,
            ending: "move limit".to_owned(),
            when: 0,
        }
    }
}

impl Arena for DiceArena {
    fn play_rest(
        &mut self,
        order: &MatchOrder,
        before: &PlayedBefore,
        book: &(dyn KnownMoves + Sync),
        on_report: &mut dyn FnMut(MatchReport) -> ControlFlow<()>,
    ) -> Result<(), ArenaError> {
        let mut before = before.clone();
        for number in 0..order.games {
            let game = self.game(number, order, book);
            if before.take(&game.opponent, game.book_side, &game.start) {
                continue;
            }
            if self.played == self.most {
                return Err(ArenaError::Other("the arena failed".to_owned()));
            }
            self.played += 1;
            if on_report(MatchReport::Played(game)).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Replies as in the games.
    fn replies(
        &mut self,
        opponent: &str,
        lines: &[UsiPosition],
    ) -> Result<Vec<Option<Move>>, ArenaError> {
        let salt = opponent.strip_prefix("dice ").and_then(|number| number.parse().ok());
        let salt = salt.ok_or_else(|| ArenaError::Other("an unknown opponent".to_owned()))?;
        let reply = |line: &UsiPosition| {
            let position = komadai_movegen::play(line).expect("a legal line");
            position.has_legal_move().then(|| dice(&position, salt))
        };
        Ok(lines.iter().map(reply).collect())
    }
}

fn options() -> GenerationOptions {
    let settings = JobSettings { nodes: Some(5), ..JobSettings::default() };
    GenerationOptions {
        extension: Some(ExtensionOptions::new(GrowOptions::new(settings))),
        ..GenerationOptions::new(8)
    }
}

fn pruning() -> PruneOptions {
    // Values are random here, so that they would keep moves at random.
    PruneOptions { scope: PruneScope::Together, guard_games: 0, ..PruneOptions::default() }
}

fn run(book: &mut WorkingBook, arena: &mut DiceArena, options: &GenerationOptions) -> Generation {
    let stop = Arc::new(AtomicBool::new(false));
    let mut analysts = [TwoMoves { analyses: 0 }];
    book.generation(arena, &mut analysts, options, &stop, &mut |_| {})
        .expect("a complete generation")
}

fn new_book() -> (tempfile::TempDir, WorkingBook) {
    let folder = tempfile::tempdir().unwrap();
    let book = WorkingBook::open_or_create(folder.path().join("book.kbook")).unwrap();
    (folder, book)
}

fn games(book: &WorkingBook) -> Vec<BookGame> {
    book.store().games().unwrap().map(|game| game.unwrap().1).collect()
}

/// Returns the contents of a book as text, without timestamps.
fn contents(book: &WorkingBook) -> Vec<String> {
    let mut rows = Vec::new();
    for stored in book.store().records().unwrap().map(Result::unwrap) {
        let moves = stored.record.moves.iter().map(|m| format!("{} {:?}", m.m, m.score));
        rows.push(format!("{} {:?}", stored.record.position, moves.collect::<Vec<_>>()));
    }
    for game in games(book) {
        rows.push(format!("{game:?}"));
    }
    for snapshot in book.generations().unwrap() {
        let taken = snapshot.taken;
        rows.push(format!("{} {:?} {}", taken.name, taken.figures, snapshot.positions));
    }
    for tombstone in book.store().tombstones().unwrap() {
        let deletion = tombstone.deletion;
        let m = deletion.m.map(|m| m.to_string());
        rows.push(format!("{} {m:?} {} {:?}", deletion.position, deletion.reason, deletion.games));
    }
    rows
}

#[test]
fn the_next_games_stay_in_the_book_eight_turns_longer() {
    let (_folder, mut book) = new_book();
    let first = run(&mut book, &mut DiceArena::new(), &options());
    assert_eq!((first.number, first.played, first.results.games()), (0, 8, 8));
    assert!(
        games(&book)
            .iter()
            .all(|game| game.left_at == Some(u32::from(game.book_side == Color::White)))
    );
    // Two colours and two opponents; the first turn of Black is one position.
    assert_eq!(first.analysed as u64, book.store().len().unwrap());

    // The book contains all turns that were due and no other position: those of the opponent are
    // not needed.
    let mut own_turns = std::collections::BTreeSet::new();
    for game in games(&book) {
        let mut position = Position::hirate();
        for (made, &m) in game.moves.iter().enumerate() {
            if position.side() == game.book_side {
                assert_eq!(book.known_moves(&position).is_some(), made < 16, "{made} moves made");
                if made < 16 {
                    own_turns.insert(turned(&position).key());
                }
            }
            position.do_move(m);
        }
    }
    assert_eq!(book.store().len().unwrap(), own_turns.len() as u64);

    // The book's side may deviate from the old game by a better move; otherwise it stays in the
    // book.
    let second = run(&mut book, &mut DiceArena::new(), &options());
    assert_eq!(second.number, 1);
    let replayed = games(&book);
    for game in &replayed[8..] {
        let mut position = Position::hirate();
        for (made, &m) in game.moves.iter().enumerate() {
            if position.side() == game.book_side {
                let left = game.left_at.is_some_and(|left_at| made >= left_at as usize);
                if !left {
                    let known = book.known_moves(&position).expect("in the book");
                    assert!(known.iter().any(|known| known.m == m));
                }
            }
            position.do_move(m);
        }
    }
    let length = |generation: u32| -> u32 {
        let uses = book.book_uses(&UseOptions::default()).unwrap();
        uses.iter().filter(|used| used.generation == generation).map(|used| used.length).sum()
    };
    assert!(length(1) > length(0), "{} > {}", length(1), length(0));
}

/// Returns the options with a walk of some turns.
fn walking(walk: usize) -> GenerationOptions {
    let extension = options().extension.map(|extension| ExtensionOptions { walk, ..extension });
    GenerationOptions { extension, ..options() }
}

#[test]
fn a_walk_adds_the_turns_of_the_next_games() {
    let (_folder, mut book) = new_book();
    run(&mut book, &mut DiceArena::new(), &walking(12));
    // The next games follow the best moves of the book, and the opponents always reply alike.
    run(&mut book, &mut DiceArena::new(), &walking(0));
    let games = games(&book);
    for game in &games[8..] {
        // Twelve turns were walked from the first turn, and added.
        let first = u32::from(game.book_side == Color::White);
        assert_eq!(game.left_at, Some(first + 2 * 13), "{:?}", game.book_side);
    }
    let (_folder, mut without) = new_book();
    run(&mut without, &mut DiceArena::new(), &walking(0));
    run(&mut without, &mut DiceArena::new(), &walking(0));
    let length = |games: &[BookGame]| -> u32 { games.iter().filter_map(|game| game.left_at).sum() };
    assert!(length(&games[8..]) > length(&self::games(&without)[8..]));
}

#[test]
fn moves_of_earlier_games_are_kept() {
    let (_folder, mut book) = new_book();
    let keeping = GenerationOptions {
        choice: BookChoice { keep_played_cp: Some(10_000), ..BookChoice::default() },
        ..options()
    };
    run(&mut book, &mut DiceArena::new(), &keeping);
    let known = |position: &Position, m: Move| {
        book.known_moves(position).is_some_and(|known| known.iter().any(|known| known.m == m))
    };
    // Turns in which the book holds the move of the game, until the first in which it does not.
    let kept = |game: &BookGame| {
        let mut position = Position::hirate();
        let mut turns = 0;
        for &m in &game.moves {
            if position.side() == game.book_side {
                if !known(&position, m) {
                    break;
                }
                turns += 1;
            }
            position.do_move(m);
        }
        turns
    };
    let before: Vec<usize> = games(&book).iter().map(kept).collect();
    run(&mut book, &mut DiceArena::new(), &keeping);
    let games = games(&book);
    for (index, &turns) in before.iter().enumerate() {
        let (old, new) = (&games[index], &games[index + 8]);
        let same = old.moves.iter().zip(&new.moves).take_while(|(old, new)| old == new).count();
        assert!(same >= 2 * turns, "{same} moves, {turns} turns");
    }
}

#[test]
fn a_position_after_an_opponents_reply_is_found_directly() {
    // Black's book contains the start and the position after 2g2f 8c8d, but not the position
    // between.
    let (_folder, mut book) = new_book();
    let line = |position: &Position, m: &str, cp| {
        let line = Line::exact(Score::cp(cp), m.parse().unwrap());
        let analysis = Analysis { lines: vec![line], nodes: 9, ..Analysis::default() };
        LoggedAnalysis::new(position.clone(), analysis, AnalystId::new("engine", "1")).into()
    };
    let start = Position::hirate();
    let after = start.after("2g2f".parse().unwrap()).after("8c8d".parse().unwrap());
    book.merge(&[line(&start, "2g2f", 30), line(&after, "2f2e", -40)]).unwrap();
    let game = BookGame {
        start: Setup::hirate(),
        moves: ["2g2f", "8c8d", "2f2e", "8d8e"].map(|m| m.parse().unwrap()).into(),
        ..DiceArena::new().game(
            0,
            &MatchOrder { games: 1, generation: 0, choice: BookChoice::default(), seed: 1 },
            &book,
        )
    };
    let walk = GameWalk::new(&game, &book).unwrap();
    assert_eq!((walk.in_book().len(), walk.left_at()), (2, None));
    // White's position is not in the book, so no value is propagated through it: the value of the
    // search remains.
    assert_eq!(book.graph().value(&start).map(|value| value.score), Some(Score::cp(30)));
    assert_eq!(book.known_moves(&start.after("2g2f".parse().unwrap())), None);
}

#[test]
fn moves_have_propagated_values_and_are_known_only_while_listed() {
    let (_folder, mut book) = new_book();
    let start = Position::hirate();
    let first: Move = "7g7f".parse().unwrap();
    let line = |m: &str, cp| Line::exact(Score::cp(cp), m.parse().unwrap());
    let analysed = |position: &Position, lines| {
        let analysis = Analysis { lines, nodes: 9, ..Analysis::default() };
        LoggedAnalysis::new(position.clone(), analysis, AnalystId::new("engine", "1")).into()
    };
    book.merge(&[
        analysed(&start, vec![line("7g7f", 50), line("2g2f", 40)]),
        analysed(&start.after(first), vec![line("3c3d", -60)]),
    ])
    .unwrap();
    let known = book.known_moves(&start).expect("the start position");
    let scores: Vec<_> = known.iter().map(|known| (known.m.to_string(), known.score)).collect();
    assert_eq!(
        scores,
        [("7g7f".to_owned(), Some(Score::cp(60))), ("2g2f".to_owned(), Some(Score::cp(40)))]
    );
    assert_eq!(known, book.graph().known_moves(&start).unwrap());

    let value = |book: &WorkingBook| book.graph().value(&start).map(|value| value.score);
    assert_eq!(value(&book), Some(Score::cp(60)));
    // The deleted move leads to a position of the book, but its value is not propagated any more.
    let deletion = komadai_book::store::Deletion {
        position: start.clone(),
        m: Some(first),
        reason: "a test".to_owned(),
        when: 0,
        generation: 0,
        games: vec![1],
    };
    let ids = book.delete(&[deletion]).unwrap();
    assert!(book.graph().moves(&start).iter().all(|ranked| ranked.m != first));
    assert_eq!(value(&book), Some(Score::cp(40)));
    let left: Vec<Move> = book.known_moves(&start).unwrap().iter().map(|known| known.m).collect();
    assert_eq!(left, ["2g2f".parse::<Move>().unwrap()]);
    // A later analysis does not restore it.
    book.merge(&[analysed(&start, vec![line("7g7f", 70)])]).unwrap();
    assert_eq!(value(&book), Some(Score::cp(40)));
    assert_eq!(book.graph().barred_moves(&start), [first]);
    let path = book.store().path().to_owned();
    drop(book);
    let mut book = WorkingBook::open(path).unwrap();
    assert_eq!(value(&book), Some(Score::cp(40)));
    assert_eq!(book.graph().best_line(&start, 9), ["2g2f".parse::<Move>().unwrap()]);
    book.undo(&ids, 0).unwrap();
    assert_eq!(value(&book), Some(Score::cp(60)));
    assert_eq!(book.known_moves(&start).unwrap().len(), 2);
}

#[test]
fn losing_moves_are_deleted_with_their_games_as_the_reason() {
    let (_folder, mut book) = new_book();
    run(&mut book, &mut DiceArena::new(), &options());
    let mut arena = DiceArena { wins: |_| false, ..DiceArena::new() };
    let options = GenerationOptions { pruning: Some(pruning()), ..options() };
    let pruned = run(&mut book, &mut arena, &options);
    assert!(!pruned.deletions.is_empty());
    let games = games(&book);
    for deletion in &pruned.deletions {
        let m = deletion.m.expect("a move");
        // The games named are, by definition, games that reached the position and made the move.
        let came: Vec<u64> = (0..)
            .zip(&games)
            .filter(|(_, game)| made(game, &deletion.position, m))
            .map(|(number, _)| number)
            .collect();
        assert!(!deletion.games.is_empty());
        assert!(deletion.games.iter().all(|number| came.contains(number)), "{deletion:?}");
        let wins = deletion.games.iter().filter(|&&number| {
            let game = &games[number as usize];
            game.winner == Some(game.book_side)
        });
        assert!((wins.count() as f64) < 0.3 * deletion.games.len() as f64);
        let known = book.known_moves(&deletion.position).unwrap_or_default();
        assert!(known.iter().all(|known| known.m != m), "the move is deleted");
        assert_eq!(deletion.generation, 1);
    }
    let ids: Vec<u64> = book.store().tombstones().unwrap().iter().map(|t| t.id).collect();
    assert_eq!(ids.len(), pruned.deletions.len());
    assert_eq!(book.undo(&ids, 1).unwrap(), ids.len());
    for deletion in &pruned.deletions {
        let known = book.known_moves(&deletion.position).expect("the move is restored");
        assert!(known.iter().any(|known| Some(known.m) == deletion.m));
    }
}

/// Returns the position turned so that Black is to move.
fn turned(position: &Position) -> Position {
    let setup = position.to_setup();
    let setup = if position.side() == Color::Black { setup } else { setup.flipped() };
    Position::from_setup(&setup).unwrap()
}

/// Returns true if the book's side made the move in the position.
fn made(game: &BookGame, position: &Position, m: Move) -> bool {
    let mut at = Position::from_setup(&game.start).unwrap();
    for &played in &game.moves {
        let here = turned(&at);
        let played_there = if at.side() == Color::Black { played } else { played.flipped() };
        if here.key() == position.key() && played_there == m && at.side() == game.book_side {
            return true;
        }
        at.do_move(played);
    }
    false
}

#[test]
fn an_interrupted_generation_continues() {
    let with_pruning = GenerationOptions { pruning: Some(pruning()), ..walking(3) };
    let uninterrupted = |generations: usize| {
        let (_folder, mut book) = new_book();
        for _ in 0..generations {
            run(&mut book, &mut DiceArena::new(), &with_pruning);
        }
        contents(&book)
    };
    let expected = uninterrupted(2);
    // The matches are interrupted after a number of games, the extension after a number of
    // analyses.
    for (games_at_once, analyses_at_once) in [(1, 1), (3, 5), (7, 2), (8, 20)] {
        let (_folder, mut book) = new_book();
        let mut interruptions = 0;
        while book.next_generation().unwrap() < 2 {
            let mut arena = DiceArena { most: games_at_once, ..DiceArena::new() };
            let stop = Arc::new(AtomicBool::new(false));
            let mut analysts = [TwoMoves { analyses: 0 }];
            let mut analysed = 0;
            let flag = Arc::clone(&stop);
            let done =
                book.generation(&mut arena, &mut analysts, &with_pruning, &stop, &mut |event| {
                    if let GenerationEvent::Growing(GrowEvent::Analysed { .. }) = event {
                        analysed += 1;
                        flag.store(analysed >= analyses_at_once, Ordering::Relaxed);
                    }
                });
            interruptions += usize::from(!done.is_ok_and(|done| done.snapshot.is_some()));
            // As after a crash, only the file remains.
            let path = book.store().path().to_owned();
            drop(book);
            book = WorkingBook::open(path).unwrap();
        }
        assert!(interruptions >= 2, "{interruptions} interruptions");
        assert_eq!(games(&book).len(), 16, "no game was played twice");
        assert_eq!(contents(&book), expected, "{games_at_once} games, {analyses_at_once} analyses");
    }
}

#[test]
fn faults_and_missing_analysts_are_reported() {
    let (_folder, mut book) = new_book();
    let stop = Arc::new(AtomicBool::new(false));
    let mut arena = DiceArena { most: 2, ..DiceArena::new() };
    let mut analysts = [TwoMoves { analyses: 0 }];
    let error = book.generation(&mut arena, &mut analysts, &options(), &stop, &mut |_| {});
    assert_eq!(error.unwrap_err().to_string(), "the arena failed");
    assert_eq!((games(&book).len(), book.next_generation().unwrap()), (2, 0));
    let mut none: [TwoMoves; 0] = [];
    let error = book.generation(&mut DiceArena::new(), &mut none, &options(), &stop, &mut |_| {});
    let text = error.unwrap_err().to_string();
    assert!(text.starts_with("no analyst is left"), "{text}");
    assert_eq!(games(&book).len(), 8, "the games played are kept");
    assert_eq!(book.next_generation().unwrap(), 0);
}
