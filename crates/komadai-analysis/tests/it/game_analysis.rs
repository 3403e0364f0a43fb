//! Analyses of whole games: by the embedded searcher, and by engines that crash.
//!
//! The engines are this test program, started again: see the tests of `usi_analyst`.

use std::io::{BufRead, stdin};
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use komadai_analysis::game_analysis::{
    AnnotationForm, GameAnalysis, GameAnalyst, Judgement, MoveExplanation, OldAnalyses, PlyAnalysis,
};
use komadai_core::{
    Analysis, Analyst, AnalystError, AnalystId, Bound, Budget, Color, Position, Score,
};
use komadai_kifu::{
    Comment, EndKind, KifuFormat, Line, Record, Tolerance, parse_records, parse_usi_games,
};
use komadai_testdata::programs::{play_engine, say};
use komadai_testdata::{games, kifu};
use komadai_usi::EngineConfig;

const BEHAVIOUR: &str = "KOMADAI_FAKE_GAME_ANALYST";
const MEMORY: &str = "KOMADAI_FAKE_GAME_ANALYST_MEMORY";

#[test]
fn fake_engine() {
    play_engine(BEHAVIOUR, |behaviour| {
        let memory = std::env::var_os(MEMORY).map(PathBuf::from);
        let mut position = String::new();
        for line in stdin().lock().lines().map_while(Result::ok) {
            match line.split(' ').next().unwrap_or_default() {
                "usi" => say("id name Fake 1.0\nid author the komadai developers\nusiok"),
                "isready" => say("readyok"),
                "position" => position = line,
                "go" => {
                    let is_bad = position.ends_with("7g7f 3c3d");
                    let is_first = memory.as_ref().is_none_or(|file| {
                        !std::fs::exists(file).unwrap() && std::fs::write(file, "once").is_ok()
                    });
                    if is_bad && (is_first || behaviour == "always crashes") {
                        std::process::exit(3);
                    }
                    let game = position.strip_prefix("position ").unwrap();
                    let game: komadai_core::UsiPosition = game.parse().unwrap();
                    let mut now = Position::from_setup(&game.setup).unwrap();
                    game.moves.iter().for_each(|&m| now.do_move(m));
                    let m = komadai_movegen::MoveGen::legal_moves(&now)[0];
                    say(&format!("info depth 3 score cp 30 nodes 300 pv {m}\nbestmove {m}"));
                }
                "quit" => return,
                _ => {}
            }
        }
    });
}

fn engine(behaviour: &str) -> EngineConfig {
    EngineConfig::new(std::env::current_exe().expect("this program has a path"))
        .with_arguments(["game_analysis::fake_engine", "--exact", "--test-threads=2"])
        .with_variable(BEHAVIOUR, behaviour)
}

fn game(usi: &str) -> Record {
    parse_usi_games(usi, Tolerance::Strict).expect("a game").records.remove(0)
}

fn two() -> NonZero<usize> {
    NonZero::new(2).expect("2 is not 0")
}

fn analyse(record: &Record, workers: usize, nodes: u64) -> GameAnalysis {
    let workers = NonZero::new(workers).expect("there are workers");
    let mut analyst = GameAnalyst::embedded(workers).with_nodes(nodes);
    analyst.mate_nodes = 2_000;
    analyst.analyse(record, |_| {}).expect("a legal start")
}

fn without_times(mut analysis: GameAnalysis) -> GameAnalysis {
    analysis.plies.iter_mut().for_each(|ply| ply.time = Duration::ZERO);
    analysis
}

/// Returns the analysis of the first position of a game from an SFEN with one move.
fn first(sfen: &str, m: &str) -> PlyAnalysis {
    analyse(&game(&format!("sfen {sfen} moves {m}")), 1, 2_000).plies.remove(0)
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let shortest = games::tournament().min_by_key(|game| game.plies).expect("there are games");
    let record = game(&format!("startpos moves {}", shortest.moves));
    let one = without_times(analyse(&record, 1, 300));
    assert_eq!(one.plies.len(), record.moves.len() + 1);
    assert!(one.plies.iter().all(|ply| ply.score.is_some() && ply.failure.is_none()));
    assert_eq!(one, without_times(analyse(&record, 2, 300)));
    let moves: Vec<_> = one.moves().map(|(ply, _)| ply.played).collect();
    assert!(moves.into_iter().eq(record.moves.iter().map(|played| Some(played.m))));
    let sides = Color::ALL.map(|side| one.summary(side));
    assert_eq!(sides.iter().map(|side| side.moves).sum::<usize>(), record.moves.len());
    // Every move of a real game is judged, and not every one is a blunder.
    assert!(sides.iter().all(|side| side.best > 0 && side.blunders < side.moves / 2));
}

#[test]
fn a_rook_given_away_is_a_blunder() {
    // The rook takes a pawn that a gold defends.
    let record =
        game("startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 7a7b 2d2c+ 3b2c");
    let analysis = analyse(&record, 2, 20_000);
    let blunder = &analysis.plies[10];
    assert_eq!((blunder.ply, blunder.side), (11, Color::Black));
    assert_eq!(blunder.judgement, Some(Judgement::Blunder));
    assert!(blunder.loss_cp.is_some_and(|loss| (500..=4_000).contains(&loss)), "{blunder:?}");
    assert_eq!(analysis.summary(Color::Black).blunders, 1);
    assert!(analysis.plies[12].black_score().is_some_and(|score| score < Score::cp(-500)));
    let [best, played] = [&blunder.pv[..], &["2d2c+".parse().unwrap(), "3b2c".parse().unwrap()]];
    let position = analysis_position(&record, 10);
    let explanation = MoveExplanation::new(&position, best, played);
    assert!(explanation.groups[0].value < -300.0, "{:?}", explanation.groups);
}

fn analysis_position(record: &Record, moves: usize) -> Position {
    let start = Position::from_setup(&record.setup).expect("a legal start");
    record.moves[..moves].iter().fold(start, |position, played| position.after(played.m))
}

const GOLD_IN_HAND: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";

#[test]
fn a_mate_that_is_missed_or_kept_is_seen() {
    let missed = first(GOLD_IN_HAND, "G*5e");
    assert_eq!(missed.mate.as_deref().map(<[_]>::len), Some(1));
    assert_eq!(missed.score, Some(Score::mate_in(1)));
    assert!(missed.missed_mate && missed.judgement >= Some(Judgement::Inaccuracy), "{missed:?}");
    assert!(missed.loss_cp.is_some_and(|loss| loss <= 8_000));
    let kept = first(GOLD_IN_HAND, "G*5b");
    assert!(!kept.missed_mate && kept.judgement == Some(Judgement::Best));
    assert_eq!(kept.loss_cp, Some(0));
    // After another first move of the mate no reply escapes either.
    let two_ways = "8k/9/7G1/9/9/9/9/9/4K4 b G2r2b2g4s4n4l18p 1";
    let position = Position::from_sfen(two_ways).expect("a position");
    let mates = komadai_movegen::MoveGen::legal_moves(&position);
    let other = |m: &&komadai_core::Move| {
        let after = position.after(**m);
        after.in_check() && !komadai_movegen::MoveGen::has_legal_move(&after)
    };
    let mates: Vec<_> = mates.iter().filter(other).collect();
    assert!(mates.len() > 1);
    for m in mates {
        let ply = first(two_ways, &m.to_string());
        assert!(!ply.missed_mate && ply.loss_cp == Some(0), "{m}: {ply:?}");
    }
}

#[test]
fn threats_of_mate_are_marked_and_quiet_moves_are_not() {
    // A pawn in front of the king, and a gold in hand.
    let record = game("sfen 4k4/9/9/4P4/9/9/9/9/4K4 b Grb3g4s4n4l17p 1 moves 5d5c 5a4a");
    let analysis = analyse(&record, 1, 500);
    assert_eq!(analysis.plies[0].threatmate, None);
    let threat = analysis.plies[1].threatmate.as_ref().expect("a gold mates on 5b");
    assert_eq!(threat.to_string(), "G*5b");
    let opening = analyse(&game("startpos moves 7g7f 3c3d 2g2f 8c8d"), 1, 300);
    assert!(opening.plies.iter().all(|ply| ply.threatmate.is_none() && ply.mate.is_none()));
    // A side in check cannot pass.
    let check = game("sfen 4k4/9/9/9/9/9/9/9/4K4 b GR2b3g4s4n4l18p 1 moves R*5e");
    assert_eq!(analyse(&check, 1, 300).plies[1].threatmate, None);
}

#[test]
fn two_move_threats_and_defences_are_proven() {
    // The pawn comes in front of the king, and the king leaves.
    let start = "4k4/9/9/4P4/9/9/9/9/4K4 b Grb3g4s4n4l17p 1";
    let record = game(&format!("sfen {start} moves 5i5h P*1d 5d5c 5a4a"));
    let mut analyst = GameAnalyst::embedded(NonZero::<usize>::MIN).with_nodes(300);
    analyst.two_move_nodes = 20_000;
    let analysis = analyst.analyse(&record, |_| {}).unwrap();
    let plies = &analysis.plies;
    assert!(plies[1].threatmate.is_none());
    let threat = plies[1].two_move_threat.as_ref().expect("the pawn moves, then a gold mates");
    let after = Position::from_sfen(start).unwrap().after("5i5h".parse().unwrap());
    let mated = threat.mate.iter().fold(threat.before_mate(&after), |now, &m| now.after(m));
    assert!(mated.in_check() && !komadai_movegen::MoveGen::has_legal_move(&mated));
    // The pawn threatens mate at once, which is no two-move threat.
    assert!(plies[3].threatmate.is_some() && plies[3].two_move_threat.is_none());
    assert!(plies[3].threat_probability > plies[1].threat_probability);
    // The move of the king parries it; the pawn before parried nothing.
    assert_eq!(plies[3].parried_mate(&plies[4]), plies[3].threatmate.as_ref());
    assert_eq!(plies[1].parried_mate(&plies[2]), None);
    // Without nodes for them there are no two-move threats.
    assert!(analyse(&record, 1, 300).plies.iter().all(|ply| ply.two_move_threat.is_none()));
    let opening = analyst.analyse(&game("startpos moves 7g7f 3c3d 2g2f 8c8d"), |_| {}).unwrap();
    assert!(opening.plies.iter().all(|ply| ply.two_move_threat.is_none()));
}

#[test]
fn the_end_of_a_game_has_its_value() {
    let mated = analyse(&game(&format!("sfen {GOLD_IN_HAND} moves G*5b")), 1, 300);
    assert_eq!(mated.plies[1].score, Some(Score::mated_in(0)));
    assert_eq!((mated.plies[1].best_move(), mated.plies[1].played), (None, None));
    let round = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
    let repeated = analyse(&game(&format!("startpos moves {}", round.trim())), 1, 300);
    assert_eq!(repeated.plies[12].score, Some(Score::ZERO));
}

#[test]
fn a_range_of_moves_is_analysed_alone() {
    let record = game("startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e");
    let mut analyst = GameAnalyst::embedded(two()).with_nodes(200);
    analyst.plies = 2..=3;
    let mut seen = Vec::new();
    let analysis = analyst.analyse(&record, |progress| seen.push(progress.done)).unwrap();
    let plies: Vec<_> = analysis.plies.iter().map(|ply| (ply.ply, ply.side)).collect();
    assert_eq!(plies, [(2, Color::White), (3, Color::Black), (4, Color::White)]);
    assert_eq!(seen, [1, 2, 3]);
    assert!(analysis.plies[1].judgement.is_some() && analysis.plies[2].judgement.is_none());
    analyst.plies = 4..=99;
    assert_eq!(analyst.analyse(&record, |_| {}).unwrap().plies.len(), 3);
    analyst.plies = RangeInclusive::new(9, 3);
    assert!(analyst.analyse(&record, |_| {}).unwrap().plies.is_empty());
}

#[test]
fn a_stop_keeps_what_is_finished() {
    let record = game("startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e");
    let mut analyst = GameAnalyst::embedded(two()).with_nodes(200);
    analyst.stop = Arc::new(AtomicBool::new(true));
    let analysis = analyst.analyse(&record, |_| {}).unwrap();
    assert!(analysis.is_stopped && analysis.plies.len() == 6);
    assert!(analysis.plies.iter().all(|ply| ply.score.is_none() && ply.failure.is_none()));
}

#[test]
fn annotated_records_are_read_back() {
    let sample = kifu::samples().find(|sample| sample.name == "kfj__csa_example.csa").unwrap();
    let mut record =
        parse_records(sample.bytes, KifuFormat::Csa, Tolerance::Lenient).unwrap().records.remove(0);
    record.moves.truncate(12);
    let analysis = analyse(&record, 2, 500);
    for format in [KifuFormat::Csa, KifuFormat::Kif, KifuFormat::Ki2] {
        let form = AnnotationForm::of(format).expect("it has comments");
        let annotated = analysis.annotate(&record, form, OldAnalyses::Replace);
        let text = annotated.to_text(format).unwrap();
        let again = parse_records(text, format, Tolerance::Strict).unwrap().records.remove(0);
        let read = again.analyses(Line::Main);
        assert_eq!(read, annotated.analyses(Line::Main), "{format:?}");
        assert_eq!(read.len(), analysis.plies.len());
        for ((made, read), ply) in read.iter().zip(&analysis.plies) {
            assert_eq!(made + 1, ply.ply);
            assert_eq!(read.black_score, ply.black_score());
            assert_eq!(read.bound, ply.black_bound());
            assert_eq!((read.pv.as_slice(), read.nodes), (&ply.pv[..], Some(ply.nodes)));
            assert!(form == AnnotationForm::Floodgate || read.depth == Some(ply.depth));
        }
    }
    assert_eq!(AnnotationForm::of(KifuFormat::Usi), None);
}

/// Says these values of the positions of a game, for the side to move, with a line that is never
/// the move played.
struct Script(&'static [(i32, Bound)]);

impl Analyst for Script {
    fn identity(&self) -> AnalystId {
        AnalystId::new("script", "1")
    }

    fn analyse(&mut self, at: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
        let (cp, bound) = self.0[at.ply() as usize - 1];
        let pv = if at.side() == Color::Black { "9g9f" } else { "1c1d" };
        let line = komadai_core::Line::exact(Score::cp(cp), pv.parse().unwrap());
        let lines = vec![komadai_core::Line { bound, ..line }];
        Ok(Analysis { lines, depth: 5, nodes: 1, ..Analysis::default() })
    }
}

#[test]
fn values_that_are_bounds_are_shown_as_such_and_judge_only_what_they_prove() {
    use Bound::{Exact, Lower, Upper};
    // The move 1 loses from +100 to -500 for Black, the move 2 from +500 to -100 for White, and so
    // on.
    for (values, judgements) in [
        ([(100, Exact), (500, Exact), (100, Exact)], [Some("blunder"), Some("blunder")]),
        ([(100, Lower), (500, Exact), (100, Exact)], [Some("blunder"), Some("blunder")]),
        ([(100, Exact), (500, Lower), (100, Exact)], [Some("blunder"), Some("blunder")]),
        ([(100, Exact), (500, Lower), (100, Lower)], [Some("blunder"), Some("blunder")]),
        ([(100, Upper), (500, Exact), (100, Exact)], [None, Some("blunder")]),
        ([(100, Exact), (500, Upper), (100, Exact)], [None, None]),
        ([(100, Exact), (500, Exact), (100, Upper)], [Some("blunder"), None]),
        ([(100, Upper), (-90, Upper), (100, Exact)], [Some("good"), Some("good")]),
        ([(100, Exact), (-110, Upper), (100, Exact)], [Some("good"), Some("good")]),
        ([(100, Exact), (-110, Lower), (100, Exact)], [None, None]),
    ] {
        let record = game("startpos moves 7g7f 3c3d");
        let mut analyst = GameAnalyst::new(vec![Box::new(Script(Box::leak(Box::new(values))))]);
        let analysis = analyst.analyse(&record, |_| {}).unwrap();
        let found: Vec<_> =
            analysis.moves().map(|(ply, _)| ply.judgement.map(Judgement::name)).collect();
        assert_eq!(found, judgements, "{values:?}");
        let bounds: Vec<_> = analysis.plies.iter().map(|ply| ply.bound).collect();
        assert_eq!(bounds, values.map(|(_, bound)| bound));
        for (ply, _) in analysis.moves() {
            assert_eq!(ply.loss_cp.is_some(), ply.judgement.is_some(), "{values:?}");
            assert!(ply.loss_cp.is_none_or(|loss| loss == 600 || loss <= 50), "{values:?}");
        }
        let sides = Color::ALL.map(|side| analysis.summary(side));
        assert_eq!(sides.map(|side| side.compared), [1, 1]);
        let judged = judgements.map(|judgement| usize::from(judgement.is_some()));
        assert_eq!(sides.map(|side| side.moves), judged);
        // White's bounds turn in the comments, which are for Black.
        for form in [AnnotationForm::Floodgate, AnnotationForm::ShogiHome] {
            let annotated = analysis.annotate(&record, form, OldAnalyses::Keep);
            let read: Vec<_> =
                annotated.analyses(Line::Main).into_iter().map(|(_, found)| found.bound).collect();
            assert_eq!(read, [values[0].1, !values[1].1, values[2].1]);
        }
    }
}

#[test]
fn other_comments_stay_and_old_evaluations_if_they_shall() {
    let mut record = game("startpos moves 7g7f 3c3d");
    let notes = ["* 77 -8384FU", "a good move"].map(|text| Comment::Note(text.to_owned()));
    record.moves[0].comments = notes.to_vec();
    let analysis = analyse(&record, 1, 200);
    let comments = |old| {
        let annotated = analysis.annotate(&record, AnnotationForm::Floodgate, old);
        annotated.moves[0].comments.clone()
    };
    assert_eq!(comments(OldAnalyses::Keep)[..2], notes);
    assert_eq!(comments(OldAnalyses::Keep).len(), 3);
    assert_eq!(
        (comments(OldAnalyses::Replace).len(), &comments(OldAnalyses::Replace)[0]),
        (2, &notes[1])
    );
}

#[test]
fn an_engine_that_crashes_at_one_position_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let record = game("startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e");
    let config = engine("crashes once").with_variable(MEMORY, folder.path().join("memory"));
    let analysis = GameAnalyst::usi(&config, two()).unwrap().analyse(&record, |_| {}).unwrap();
    assert!(folder.path().join("memory").exists());
    assert_eq!(analysis.failures(), 0);
    assert!(analysis.plies.iter().all(|ply| ply.score == Some(Score::cp(30))));
    assert_eq!(analysis.analyst.name, "Fake 1.0");
}

#[test]
fn an_engine_that_always_crashes_at_one_position_leaves_that_position_out() {
    let record = game("startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e");
    let mut analyst = GameAnalyst::usi(&engine("always crashes"), two()).unwrap();
    let analysis = analyst.analyse(&record, |_| {}).unwrap();
    let failed: Vec<_> =
        analysis.plies.iter().filter(|ply| ply.failure.is_some()).map(|ply| ply.ply).collect();
    assert_eq!((failed, analysis.is_stopped), (vec![3], false));
    let judged: Vec<_> = analysis.plies.iter().map(|ply| ply.loss_cp.is_some()).collect();
    assert_eq!(judged, [true, false, false, true, true, true, false]);
}

#[test]
fn a_foul_ends_the_analysis_before_it() {
    let mut record = game("startpos moves 7g7f 3c3d");
    record.moves.push(komadai_kifu::RecordMove::new("5i5e".parse().unwrap()));
    record.end = Some(komadai_kifu::End::new(EndKind::IllegalLoss));
    let analysis = analyse(&record, 1, 200);
    assert!(analysis.illegal.is_some() && analysis.plies.len() == 3);
}
