//! A network that knows one pawn, and the bundled one.

use std::path::PathBuf;

use komadai_core::{Color, Piece, Position, Square};
use komadai_data::records::{PackedSfenValue, RecordResult};
use komadai_data::tools::{OnDamage, Sources, ToolError, Watch};
use komadai_eval::{Evaluator as _, scale};
use komadai_networks::{
    DataOptions, Phase, accuracy, explain, network_info, network_scale, read_positions,
};
use komadai_nnue::{ClassicalWeights, DenseWeights, FeatureSet, Network, Nnue, ScaleSource};

/// The output of the network that knows one pawn.
const PAWN: i32 = 100 * 90 / 100 * 16;

/// A network whose value is a pawn for the side to move if it has a pawn on its seventh rank of the
/// fifth file (5g for Black), less a pawn if the opponent has one.
fn one_pawn() -> Network {
    let architecture = "kp_32x2-8-8".parse().unwrap();
    let mut weights = vec![0; 32 * FeatureSet::KP.inputs()];
    // The first own pawn on the board has the number 90, that of the opponent 171; kings stand
    // after the pieces. The viewer's fifth file is the squares 36 to 44.
    let own = 90 + 4 * 9 + 6;
    weights[own * 32] = 64;
    let mut layers = [(64, 8), (8, 8), (8, 1)].map(|(inputs, outputs): (usize, usize)| {
        DenseWeights { biases: vec![0; outputs], weights: vec![0; inputs * outputs] }
    });
    // Unit 0 of the own view, unit 32 of the other one.
    layers[0].weights[0] = 64;
    layers[0].weights[64 + 32] = 64;
    layers[1].weights[0] = 64;
    layers[1].weights[8 + 1] = 64;
    layers[2].weights[0] = (PAWN / 64) as i8;
    layers[2].weights[1] = -(PAWN / 64) as i8;
    layers[2].biases[0] = 0;
    let origin = "by hand".to_owned();
    let weights = ClassicalWeights { architecture, origin, biases: vec![0; 32], weights, layers };
    Network::try_from(weights).unwrap()
}

#[test]
fn one_pawn_is_worth_a_pawn() {
    let nnue = Nnue::new(one_pawn());
    for side in ["b", "w"] {
        let sfen = format!("4k4/9/9/9/9/9/4P4/9/4K4 {side} GP2s 1");
        let position = Position::from_sfen(&sfen).unwrap();
        let found = explain(&nnue, &position);
        // 1,408 of 16 · 90 is 97 centipawns.
        let worth = |piece, square| {
            let part = found.pieces.iter().find(|p| p.piece == piece && p.square == square);
            part.unwrap().worth.unwrap()
        };
        let expected = PAWN / 64 * 64 / 16 * 100 / 90;
        assert_eq!(found.black, expected, "{side}");
        assert_eq!(worth(Piece::BlackPawn, Some(Square::S57)), expected);
        assert_eq!(worth(Piece::BlackGold, None), 0);
        assert_eq!(worth(Piece::WhiteSilver, None), 0);
        assert_eq!(found.pieces.len(), 4);
        assert_eq!(found.value, if side == "b" { expected } else { -expected });
    }
    // Without the pawn, White's rook would attack the king of the side that is not to move.
    let pinned = Position::from_sfen("4r4/9/9/9/9/9/4P4/9/4K4 w - 1").unwrap();
    let found = explain(&nnue, &pinned);
    let pawn = found.pieces.iter().find(|part| part.piece == Piece::BlackPawn).unwrap();
    assert_eq!(pawn.worth, None);
}

#[test]
fn statistics_count_the_numbers() {
    let info = network_info(&Nnue::new(one_pawn()));
    assert_eq!(info.architecture, "kp_32x2-8-8");
    assert!(info.text.ends_with(",Origin=by hand") && info.text.starts_with(&info.true_text));
    let first = &info.layers[0].weights;
    assert_eq!((first.count, first.min, first.max), (32 * 1_710, 0, 64));
    assert_eq!(first.zeros, 1.0 - 1.0 / (32.0 * 1_710.0));
    let hidden = &info.layers[1].weights;
    assert_eq!((hidden.count, hidden.max, hidden.at_limit), (512, 64, 0.0));
    assert_eq!(info.parameters, 32 * 1_711 + 64 * 8 + 8 + 64 + 8 + 8 + 1);
    assert_eq!(info.file, None);
    let bundled = network_info(&Nnue::new(Network::bundled()));
    assert_eq!((bundled.fv_scale, bundled.stacks), (None, 8));
    assert!((bundled.centipawn - 1.0).abs() < 1e-9);
}

/// Writes records of positions.
fn data(records: &[PackedSfenValue]) -> (tempfile::TempDir, [PathBuf; 1]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.psv");
    let bytes: Vec<u8> = records.iter().flat_map(|record| record.to_bytes()).collect();
    std::fs::write(&path, bytes).unwrap();
    (folder, [path])
}

fn record(position: &Position, score: i16, result: RecordResult) -> PackedSfenValue {
    PackedSfenValue::new(position, score, None, result).unwrap()
}

#[test]
fn agreement_is_counted_by_hand() {
    let own = Position::from_sfen("4k4/9/9/9/9/9/4P4/9/4K4 b - 1").unwrap();
    let none = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1").unwrap();
    let check = Position::from_sfen("4k4/9/9/9/9/9/9/4g4/4K4 b P 1").unwrap();
    use RecordResult::{Draw, Loss, Win};
    let records = [
        record(&own, 200, Win),
        record(&own, 200, Loss),
        record(&own, -5, Win),
        record(&own.flipped(), 7, Win),
        record(&none, 300, Win),
        record(&own, 32_000, Draw),
        record(&check, 10, Win),
    ];
    let (_folder, paths) = data(&records);
    let sources = Sources::find(&paths, OnDamage::Refuse).unwrap();
    let networks = [Nnue::new(one_pawn()), Nnue::new(one_pawn()).with_fv_scale(8)];
    let options = DataOptions::default();
    let (found, damage) = accuracy(&networks, &sources, &options, &mut Watch::none()).unwrap();
    assert!(damage.is_empty());
    assert_eq!((found.data.records, found.data.positions, found.data.in_check), (7, 6, 1));
    let all = &found.networks[0].phases[0];
    assert_eq!((all.phase, all.positions, all.decided), (Phase::All, 6, 5));
    // Right: the first, the third and the fourth; wrong: the second; half: the fifth.
    assert_eq!(all.result_agreement.unwrap().value, 3.5 / 5.0);
    // Right: the first two and the fourth; wrong: the third; half: the fifth. A mate is no value.
    assert_eq!(all.deep_agreement.unwrap().value, 3.5 / 5.0);
    assert_eq!(all.lead, None);
    let second = &found.networks[1];
    assert_eq!(second.phases[0].lead.unwrap().value, 0.0);
    let phases = &found.networks[0].phases;
    assert_eq!(phases[1..].iter().map(|phase| phase.positions).sum::<u64>(), 6);
    // A part of the records is the same part in every file.
    let few = DataOptions { positions: 3 };
    let (chosen, damage) = read_positions(&sources, &few, &mut Watch::none()).unwrap();
    assert!((1..7).contains(&chosen.len()) && damage.is_empty());
    // Nothing is measured of no position.
    let none = DataOptions { positions: 0 };
    let error = read_positions(&sources, &none, &mut Watch::none()).unwrap_err();
    assert!(matches!(error, ToolError::NoPosition { records: 7, in_check: 0, not_chosen: 7 }));
}

#[test]
fn the_scale_of_made_results_is_found() {
    let nnue = Nnue::new(Network::random("halfkp_32x2-8-8".parse().unwrap(), 1));
    // Each position as often won as the odds of 300 centipawns let expect, of 20 games.
    let records: Vec<_> = scale::sample()
        .iter()
        .filter(|position| !position.in_check())
        .flat_map(|position| {
            let value = nnue.evaluate_position(position).raw();
            let wins = (20.0 / (1.0 + (-f64::from(value) / 300.0).exp())).round() as usize;
            let score = (2 * value).clamp(-9_000, 9_000) as i16;
            (0..20).map(move |game| {
                record(
                    position,
                    score,
                    if game < wins { RecordResult::Win } else { RecordResult::Loss },
                )
            })
        })
        .collect();
    let (_folder, paths) = data(&records);
    let sources = Sources::find(&paths, OnDamage::Refuse).unwrap();
    let options = DataOptions::default();
    let (found, _) = network_scale(&nnue, Some(&sources), &options, &mut Watch::none()).unwrap();
    let fit = found.fit.as_ref().unwrap();
    let odds = fit.odds.unwrap();
    assert!((odds.value / 300.0 - 1.0).abs() < 0.1, "{odds:?}");
    assert!((fit.deep_per_value.unwrap().value - 2.0).abs() < 0.05);
    let half = found.usual_odds.unwrap();
    assert!((half / 8.0 - odds.value / 300.0).abs() < 0.001, "{half}");
    let recommended = found.recommended.unwrap();
    assert!((7..=9).contains(&recommended.fv_scale) && recommended.reason.contains("600"));
    assert!((fit.deep_odds.unwrap().value / 600.0 - 1.0).abs() < 0.1);
    // With the scale that a text states, that one is right.
    let text = format!("{},fv_scale=24", nnue.network().architecture().description());
    let stated = Nnue::new(Network::clone(nnue.network()).with_text(text));
    assert_eq!(stated.scale_source(), ScaleSource::Text);
    let (found, _) = network_scale(&stated, Some(&sources), &options, &mut Watch::none()).unwrap();
    assert_eq!(found.recommended.unwrap().fv_scale, 24);
    // The bundled network needs none.
    let bundled = Nnue::new(Network::bundled());
    let (found, _) = network_scale(&bundled, None, &options, &mut Watch::none()).unwrap();
    assert_eq!((found.fv_scale, found.recommended), (None, None));
}

#[test]
fn both_sides_are_explained_alike() {
    let nnue = Nnue::new(Network::bundled());
    let found = explain(&nnue, &Position::hirate());
    let worth = |color: Color, square: Square| {
        let square = if color == Color::Black { square } else { square.flipped() };
        found.pieces.iter().find(|part| part.square == Some(square)).unwrap().worth.unwrap()
    };
    assert_eq!(found.pieces.len(), 38);
    for square in [Square::S28, Square::S88, Square::S77] {
        let [black, white] = Color::ALL.map(|color| worth(color, square));
        // The right to move makes a small difference.
        assert!((black - white).abs() < 150, "{square}: {black} {white}");
        assert!(black > 0, "{square}: {black}");
    }
}
