//! Evaluations in comments, as programs write them.

use std::time::Duration;

use komadai_core::{Bound, Color, Position, Score};
use komadai_kifu::analysis::{AnalysisSource, RecordAnalysis, parse_analyses};
use komadai_kifu::{Comment, Line, Tolerance, parse_csa};
use komadai_testdata::kifu::samples;

fn after(moves: &str) -> Position {
    moves
        .split_whitespace()
        .fold(Position::hirate(), |position, m| position.after(m.parse().unwrap()))
}

fn read(texts: &[&str], after: &Position) -> Vec<RecordAnalysis> {
    let comments: Vec<Comment> = texts.iter().map(|&text| Comment::Note(text.to_owned())).collect();
    parse_analyses(&comments, after)
}

fn line(analysis: &RecordAnalysis) -> String {
    analysis.pv.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[test]
fn floodgate_games_have_values_and_lines_in_place() {
    let mut count = 0;
    for sample in samples() {
        for record in parse_csa(sample.bytes, Tolerance::Strict).unwrap().records {
            let mut position = Position::from_setup(&record.setup).unwrap();
            let mut made = 0;
            for (ply, analysis) in record.analyses(Line::Main) {
                while made < ply {
                    position.do_move(record.moves[made].m);
                    made += 1;
                }
                count += 1;
                // Values of a mate are written as 30000.
                if analysis.black_score.is_none_or(Score::is_mate) {
                    continue;
                }
                // What was read is what is written, as far as the line was read.
                let comments = &record.moves[ply - 1].comments;
                let Comment::Note(written) = analysis.to_floodgate_comment(&position).unwrap()
                else {
                    panic!("notes are written");
                };
                let written = written.split(" #").next().unwrap_or_default();
                assert!(
                    comments.iter().any(|c| c.text().starts_with(written)),
                    "{} ply {ply}: {written} {comments:?}",
                    sample.name
                );
            }
        }
    }
    assert!(count > 450, "{count}");
}

#[test]
fn the_line_of_a_floodgate_comment_begins_after_the_move() {
    let sample = samples().find(|sample| sample.name == "kfj__csa_v2.csa").unwrap();
    let record = parse_csa(sample.bytes, Tolerance::Strict).unwrap().records.remove(0);
    let analyses = record.analyses(Line::Main);
    let (ply, long) = analyses.iter().find(|(_, analysis)| analysis.pv.len() > 20).unwrap();
    assert_eq!(long.black_score, Some(Score::cp(50)));
    assert!(line(long).starts_with("3c3d 8h7i") || line(long).starts_with("3c3d 7i8h"), "{ply}");
    assert!(analyses[0].1.pv.is_empty(), "a value alone");
    assert_eq!(analyses[0].1.black_score, Some(Score::cp(104)));
}

#[test]
fn every_form_is_read() {
    let position = after("7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d");
    let capture = position.after("2c2d".parse().unwrap());
    for (texts, expected, rest) in [
        (&["* 30 -2324FU +2824HI %TORYO #1234"][..], "2c2d 2h2d", "cp 30 #1234"),
        (&["*-30000"], "", "mate -"),
        (&["*+12.6 +PASS"], "", "cp 13"),
        // The line begins with the move that was made.
        (&[" 30 +2524FU -2324FU"], "2c2d", "cp 30"),
        (
            &[
                "*解析 0 候補1 時間 00:15.9 深さ 54/60 ノード数 1000495 評価値 207 読み筋 △同　歩(23) ▲同　飛(28) △５五角打(00)",
            ],
            "2c2d 2h2d",
            "cp 207 depth 54/60 #1000495 15900 rank 1",
        ),
        (
            &["*対局 時間 00:01 深さ 3 評価値 -35↑ 読み筋 △同歩"],
            "2c2d",
            "cp -35 depth 3 1000 lower",
        ),
        (&["*解析 0 候補2 評価値 -詰 6 読み筋 △同歩"], "2c2d", "mate -6 rank 2"),
        (&["*解析 0 評価値 +詰"], "", "mate +"),
        (&["#指し手[72] 最善手 ☖２四同歩"], "", "cp 72"),
        (&["#形勢[-5]"], "", "cp -5"),
        (&["* 候補1 深さ 12 評価値 +44 読み筋 ☖２四歩"], "2c2d", "cp 44 depth 12 rank 1"),
        (&["#評価値=-72", "#読み筋=△同　歩▲同　飛", "#深さ=8"], "2c2d 2h2d", "cp -72 depth 8"),
        (&["*詰み=後手勝ち:7手", "*エンジン=x y"], "", "mate -7 engine x y"),
    ] {
        let analyses = read(texts, &position);
        assert_eq!(analyses.len(), 1, "{texts:?}");
        let a = &analyses[0];
        assert_eq!(line(a), expected, "{texts:?}");
        let mut told = a.black_score.unwrap().to_string();
        if let Some(depth) = a.depth {
            told += &format!(" depth {depth}");
        }
        told += &a.seldepth.map_or(String::new(), |depth| format!("/{depth}"));
        told += &a.nodes.map_or(String::new(), |nodes| format!(" #{nodes}"));
        told += &a.time.map_or(String::new(), |time| format!(" {}", time.as_millis()));
        told += &a.rank.map_or(String::new(), |rank| format!(" rank {rank}"));
        told += &a.engine.as_ref().map_or(String::new(), |engine| format!(" engine {engine}"));
        told += if a.bound == Bound::Lower { " lower" } else { "" };
        assert_eq!(told, rest, "{texts:?}");
    }
    assert_eq!(line(&read(&["*解析 0 評価値 1 読み筋 ▲同飛△２三歩"], &capture)[0]), "2h2d P*2c");
}

#[test]
fn other_comments_are_no_evaluations() {
    let position = Position::hirate();
    let texts = [
        "互角",
        "*",
        "* ",
        "#",
        "*abc",
        "* abc 12",
        " 12",
        "#評価",
        "*評価値=x",
        "*解析 0",
        "*キー=3",
        "*#評価値",
        "12",
    ];
    assert_eq!(read(&texts, &position), []);
    let long = format!("* 1 {}", "+7776FU -3334FU ".repeat(50_000));
    assert_eq!(read(&[&long], &position)[0].pv.len(), 2);
}

#[test]
fn two_players_and_a_repeated_key_are_analyses_of_their_own() {
    let position = Position::hirate();
    let texts = ["*評価値=8", "#評価値=9", "*深さ=3", "#深さ=4", "*評価値=10", "*深さ=5"];
    let analyses = read(&texts, &position);
    let told: Vec<_> =
        analyses.iter().map(|a| (a.source, a.black_score.unwrap().raw(), a.depth)).collect();
    assert_eq!(
        told,
        [
            (AnalysisSource::ShogiHomePlayer, 8, Some(3)),
            (AnalysisSource::ShogiHomeResearch, 9, Some(4)),
            (AnalysisSource::ShogiHomePlayer, 10, Some(5)),
        ]
    );
}

#[test]
fn moves_of_like_pieces_are_told_apart() {
    let golds = "4k4/9/9/9/9/4G4/3G5/4G4/4K4 b G 1";
    let position = Position::from_sfen(golds).unwrap();
    for (name, m) in [
        ("▲５七金引", "5f5g"),
        ("▲５七金上", "5h5g"),
        ("▲５七金直", "5h5g"),
        ("▲５七金寄", "6g5g"),
        ("▲５七金右", ""),
        ("▲５七金左", "6g5g"),
        ("▲57金左寄", "6g5g"),
        ("▲５七金打", "G*5g"),
        ("▲５七金(67)", "6g5g"),
        ("▲５五金", "5f5e"),
        ("▲５五銀", ""),
    ] {
        let found = read(&["*評価値=1", &format!("*読み筋={name}")], &position);
        assert_eq!(line(&found[0]), m, "{name}");
    }
}

#[test]
fn what_is_written_is_read_back() {
    let position = after("7g7f 3c3d");
    let mut analysis = RecordAnalysis::new(AnalysisSource::ShogiHomePlayer);
    analysis.black_score = Some(Score::cp(-120));
    analysis.pv = ["8h2b+", "3a2b", "B*4e"].map(|m| m.parse().unwrap()).to_vec();
    (analysis.depth, analysis.nodes) = (Some(12), Some(3_456));
    analysis.engine = Some("komadai".to_owned());
    for score in [Score::cp(-120), Score::mate_in(7), -Score::MATE_OF_UNKNOWN_LENGTH] {
        analysis.black_score = Some(score);
        let comments = analysis.to_shogihome_comments(&position);
        assert_eq!(parse_analyses(&comments, &position), [analysis.clone()], "{comments:?}");
    }
    for bound in [Bound::Lower, Bound::Upper] {
        for score in
            [Score::cp(-120), Score::cp(0), Score::mate_in(7), -Score::MATE_OF_UNKNOWN_LENGTH]
        {
            let mut bounded = analysis.clone();
            (bounded.black_score, bounded.bound) = (Some(score), bound);
            let comments = bounded.to_shogihome_comments(&position);
            assert_eq!(parse_analyses(&comments, &position), [bounded.clone()], "{comments:?}");
            for nodes in [None, Some(3_456)] {
                bounded.nodes = nodes;
                let comment = bounded.to_floodgate_comment(&position).unwrap();
                let again = &parse_analyses(std::slice::from_ref(&comment), &position)[0];
                assert_eq!((again.bound, again.nodes), (bound, nodes), "{comment:?}");
                assert_eq!(again.pv, analysis.pv, "{comment:?}");
            }
            // The usual encoding of KIF has the signs of bounds.
            assert!(comments.iter().all(|comment| !comment.text().contains(['≥', '≤'])));
        }
    }
    let comment = analysis.to_floodgate_comment(&position).unwrap();
    let again = &parse_analyses(&[comment], &position)[0];
    assert_eq!((again.black_score, &again.pv), (analysis.black_score, &analysis.pv));
    assert_eq!(again.nodes, Some(3_456));
    // The engine's point of view and back.
    analysis.time = Some(Duration::from_millis(30));
    let core = analysis.to_analysis(Color::White);
    assert_eq!(core.score(), Some(Score::MATE_OF_UNKNOWN_LENGTH));
    let back = RecordAnalysis::from_analysis(analysis.source, &core, Color::White);
    analysis.engine = None;
    assert_eq!(back, analysis);
}
