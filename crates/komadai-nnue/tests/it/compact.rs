//! Compact networks: the definition of the value, and files that are damaged.

use komadai_core::{Color, PieceKind, Position};
use komadai_eval::{Classical, Evaluator, Material, Parameters, Patch};
use komadai_movegen::MoveGen;
use komadai_nnue::{
    CompactBase, CompactWeights, CompactWeightsError, FeatureSet, Kernels, Network, NetworkError,
    Nnue,
};
use komadai_testdata::positions;

/// Weights of one width with small numbers that differ.
fn weights(width: usize, classes: usize) -> CompactWeights {
    let number = |index: usize, range: i64| {
        let bits = komadai_core::SplitMix64::mix(index as u64);
        (bits >> 33) as i64 % (2 * range + 1) - range
    };
    CompactWeights {
        description: "a test".to_owned(),
        base: CompactBase::Material,
        scale: 500,
        biases: (0..width).map(|index| 90 + number(index, 90) as i16).collect(),
        weights: (0..width * FeatureSet::ZoneKp.inputs())
            .map(|index| number(index + 1_000, 60) as i16)
            .collect(),
        thresholds: (1..classes as i32).map(|class| 100 * class - 200).collect(),
        output_weights: (0..2 * width * classes)
            .map(|index| number(index + 5_000_000, 127) as i8)
            .collect(),
        output_biases: (0..classes).map(|index| number(index + 9_000, 5_000) as i32).collect(),
    }
}

/// The number of a piece on a square or in a hand, as Bonanza counts, written once more.
fn piece_numbers(position: &Position, viewer: Color) -> Vec<usize> {
    let start = |kind: PieceKind| match kind {
        PieceKind::Pawn => 90,
        PieceKind::Lance => 252,
        PieceKind::Knight => 414,
        PieceKind::Silver => 576,
        PieceKind::Bishop => 900,
        PieceKind::Horse => 1_062,
        PieceKind::Rook => 1_224,
        PieceKind::Dragon => 1_386,
        _ => 738,
    };
    let mut numbers = Vec::new();
    for square in position.occupied() {
        let piece = position.piece_on(square).unwrap();
        if piece.kind() != PieceKind::King {
            let seen = if viewer == Color::Black { square } else { square.flipped() };
            let owner = if piece.color() == viewer { 0 } else { 81 };
            numbers.push(start(piece.kind()) + owner + seen.index());
        }
    }
    let firsts = [[1, 20], [39, 44], [49, 54], [59, 64], [79, 82], [85, 88], [69, 74]];
    for owner in Color::ALL {
        for (kind, first) in PieceKind::HAND.into_iter().zip(firsts) {
            let first = first[usize::from(owner != viewer)];
            numbers.extend((0..position.hand(owner).count(kind) as usize).map(|n| first + n));
        }
    }
    numbers.resize(38, 0);
    numbers
}

/// The value by the definition.
fn expected(weights: &CompactWeights, position: &Position) -> i32 {
    let width = weights.biases.len();
    let us = position.side();
    let views = [us, !us].map(|viewer| {
        let king = position.king_square(viewer).unwrap();
        let king = if viewer == Color::Black { king } else { king.flipped() };
        let zone = king.file().index() / 3 * 3 + king.rank().index() / 3;
        let mut sums: Vec<i32> = weights.biases.iter().map(|bias| i32::from(*bias)).collect();
        for number in piece_numbers(position, viewer) {
            let row = &weights.weights[(zone * 1_548 + number) * width..][..width];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += i32::from(*weight));
        }
        sums
    });
    let progress = views[0][width - 1] + views[1][width - 1];
    let class = weights.thresholds.iter().filter(|least| progress >= **least).count();
    let output = views.concat().iter().enumerate().fold(0, |total, (index, sum)| {
        let weight = weights.output_weights[2 * width * class + index];
        total + sum.clamp(&0, &255).pow(2) * i32::from(weight)
    });
    let output = i64::from(output / 255 + weights.output_biases[class]);
    let positional = output * i64::from(weights.scale) / (255 * 64);
    Material.evaluate_position(position).raw() + positional as i32
}

#[test]
fn values_are_those_of_the_definition() {
    for (width, classes) in [(32, 1), (128, 8), (96, 3)] {
        let weights = weights(width, classes);
        let network = Network::try_from(weights.clone()).unwrap();
        assert_eq!(network.architecture().to_string(), format!("compact_{width}x2_{classes}"));
        let mut file = Vec::new();
        network.write(&mut file).unwrap();
        let again = Network::from_bytes(&file).unwrap();
        assert_eq!(again.description(), "a test");
        assert_eq!(CompactWeights::of(&again), Some(weights.clone()));
        let mut classes_seen = 0;
        for sfen in positions::bench().map(|position| position.sfen) {
            let position = Position::from_sfen(sfen).unwrap();
            if position.king_square(Color::Black).is_none() {
                continue;
            }
            classes_seen += 1;
            let value = expected(&weights, &position);
            for kernels in Kernels::available() {
                let nnue = Nnue::new(again.clone().with_kernels(kernels));
                assert_eq!(nnue.value(&position, &mut nnue.refresh(&position)), value, "{sfen}");
                assert_eq!(nnue.evaluate_position(&position).raw(), value);
            }
        }
        assert!(classes_seen >= 3);
    }
}

#[test]
fn files_of_version_2_are_read() {
    let weights = weights(64, 3);
    let mut file = Vec::new();
    Network::try_from(weights.clone()).unwrap().write(&mut file).unwrap();
    let start = 28 + weights.description.len() + 2 * 64;
    let block = u32::from_le_bytes(*file[start + 17..].first_chunk().unwrap()) as usize;
    let end = start + 17 + 4 + block;
    let numbers = weights.weights.iter().flat_map(|weight| weight.to_le_bytes());
    let mut older: Vec<u8> = file[..start].iter().copied().chain(numbers).collect();
    older.extend(&file[end..file.len() - 4]);
    older[4] = 2;
    older.extend(crc32fast::hash(&older).to_le_bytes());
    let network = Network::from_bytes(&older).unwrap();
    assert_eq!(CompactWeights::of(&network), Some(weights));
}

#[test]
fn a_network_beside_classical_adds_to_it() {
    let material = weights(32, 2);
    let classical = CompactWeights { base: CompactBase::Classical, ..material.clone() };
    let mut file = Vec::new();
    Network::try_from(classical).unwrap().write(&mut file).unwrap();
    let network = Network::from_bytes(&file).unwrap();
    assert_eq!(network.base(), Some(CompactBase::Classical));
    let (nnue, beside) = (Nnue::new(Network::try_from(material).unwrap()), Nnue::new(network));
    for sfen in positions::bench().map(|position| position.sfen) {
        let mut position = Position::from_sfen(sfen).unwrap();
        let value = |position: &Position| {
            let correction =
                nnue.evaluate_position(position).raw() - Material.evaluate_position(position).raw();
            Classical::default().evaluate_position(position).raw() + correction
        };
        assert_eq!(beside.evaluate_position(&position).raw(), value(&position), "{sfen}");
        let mut accumulator = beside.refresh(&position);
        let before = beside.evaluate(&position, &mut accumulator);
        for m in position.legal_moves().into_iter().take(5) {
            beside.do_move(&mut position, m, &mut accumulator);
            assert_eq!(beside.evaluate(&position, &mut accumulator).raw(), value(&position));
            beside.undo_move(&mut position, &mut accumulator);
        }
        assert_eq!(beside.evaluate(&position, &mut accumulator), before);
    }
}

#[test]
fn patches_change_a_network_by_what_they_change_in_its_base() {
    let with_rook = "4k4/9/9/9/9/9/9/7R1/4K4 b - 1";
    let without = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
    let patch = format!("piece[5]\t6000:5000\ta test\t{with_rook}\t{without}");
    let mut parameters = Parameters::default();
    parameters.apply(&patch.parse::<Patch>().unwrap());
    let patched = Classical::new(&parameters);
    let classical = CompactWeights { base: CompactBase::Classical, ..weights(32, 2) };
    let network = Nnue::new(Network::try_from(classical).unwrap());
    let doped = network.clone().with_classical(patched.clone());
    let material = Nnue::new(Network::try_from(weights(32, 2)).unwrap());
    let mut changed = 0;
    for sfen in positions::bench().map(|position| position.sfen) {
        let position = Position::from_sfen(sfen).unwrap();
        let change = patched.evaluate_position(&position).raw()
            - Classical::default().evaluate_position(&position).raw();
        changed += i32::from(change != 0);
        let expected = network.evaluate_position(&position).raw() + change;
        assert_eq!(doped.evaluate_position(&position).raw(), expected, "{sfen}");
        let unchanged = material.clone().with_classical(patched.clone());
        assert_eq!(unchanged.evaluate_position(&position), material.evaluate_position(&position));
    }
    assert!(changed > 0, "rooks are in hand or promoted in some positions");
    assert_eq!(doped.scale(), network.scale());
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let refused = |change: fn(&mut CompactWeights)| {
        let mut weights = weights(32, 2);
        change(&mut weights);
        Network::try_from(weights).unwrap_err()
    };
    let first = CompactWeightsError::Overflow { layer: "the first layer" };
    assert_eq!(refused(|weights| weights.weights[..32 * 38].fill(900)), first);
    assert_eq!(refused(|weights| weights.biases[3] = i16::MIN), first);
    let output = CompactWeightsError::Overflow { layer: "the output layers" };
    assert_eq!(refused(|weights| weights.output_biases[1] = i32::MAX), output);
    assert_eq!(refused(|weights| weights.output_weights[0] = i8::MIN), output);
    let length = refused(|weights| weights.thresholds.push(1));
    let expected = CompactWeightsError::Length { what: "thresholds", found: 2, expected: 1 };
    assert_eq!(length, expected);
    let shape = refused(|weights| weights.biases.truncate(31));
    assert_eq!(shape, CompactWeightsError::Shape { outputs: 31, classes: 2 });
}

#[test]
fn damaged_files_are_refused() {
    let mut file = Vec::new();
    Network::try_from(weights(32, 2)).unwrap().write(&mut file).unwrap();
    let error = |bytes: &[u8]| Network::from_bytes(bytes).unwrap_err();
    for at in (4..file.len()).step_by(20_011).chain(file.len() - 200..file.len()) {
        let mut damaged = file.clone();
        damaged[at] ^= 1;
        let error = error(&damaged);
        let is_right = match at {
            4..28 => true,
            _ => matches!(
                error,
                NetworkError::Checksum { .. }
                    | NetworkError::Overflow { .. }
                    | NetworkError::Block { .. }
            ),
        };
        assert!(is_right, "{at}: {error}");
    }
    for len in (0..file.len()).step_by(20_011).chain(0..40) {
        let error = error(&file[..len]);
        let NetworkError::Truncated { at, .. } = error else { panic!("{len}: {error}") };
        assert_eq!(at, len as u64);
    }
    let mut newer = file.clone();
    newer[4] = 4;
    let expected = "byte 4: found 4 as version, expected version 2 or 3";
    assert_eq!(error(&newer).to_string(), expected);
    let mut other_base = file.clone();
    other_base[8] = 2;
    let found = error(&other_base).to_string();
    assert!(found.starts_with("byte 8: found 2 as base, expected 0 for material"), "{found}");
    file.push(0);
    assert!(matches!(error(&file), NetworkError::TooLong { .. }));
}
