//! A plain writer of network files and their evaluation, straight from the formats, for comparison:
//! it shares nothing with the crate.
//!
//! Every weight is a function of the seed and of its place, so that the evaluation needs no table.

use komadai_core::{Color, PieceKind, Position, SplitMix64, Square};

/// The features of a network: the number of squares or classes of the own king, and whether kings
/// are pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    HalfKp,
    /// Mirrored, both kings in one plane.
    HalfKaHm2,
    Kp,
    Ka2,
}

/// The layers and their place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Classical,
    /// Classes of both kings, `k3k3`.
    Sfnn {
        common: usize,
        shard: usize,
        groups: usize,
    },
    LayerStack {
        stacks: usize,
        is_named: bool,
        has_psqt: bool,
        by_progress: bool,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub(crate) set: Set,
    pub(crate) width: usize,
    /// The outputs of the hidden layers.
    pub(crate) outputs: [usize; 2],
    pub(crate) form: Form,
    pub(crate) seed: u64,
}

pub(crate) const SFNN: Form = Form::Sfnn { common: 0, shard: 0, groups: 0 };

/// The groups of parameters, each with a stream of its own.
const BIASES: u64 = 1;
const WEIGHTS: u64 = 2;
const PSQT: u64 = 3;
const PROGRESS: u64 = 4;
const LAYERS: u64 = 16;

fn padded(inputs: usize) -> usize {
    inputs.div_ceil(32) * 32
}

impl Set {
    pub(crate) fn inputs(self) -> usize {
        match self {
            Self::HalfKp => 81 * 1_548,
            Self::HalfKaHm2 => 45 * 1_629,
            Self::Kp => 2 * 81 + 1_548,
            Self::Ka2 => 2 * 81 + 1_629,
        }
    }
}

impl Plain {
    /// A number of bell shape around 0, of about this size.
    fn number(&self, group: u64, index: usize, size: i32) -> i32 {
        let seed = self.seed.wrapping_mul(1_000_003) ^ (group << 40) ^ index as u64;
        let bytes = SplitMix64::new(seed).next_u64().to_le_bytes();
        let sum: i32 = bytes[..4].iter().map(|byte| i32::from(*byte)).sum();
        (sum - 510) * size / 148
    }

    fn bias(&self, output: usize) -> i16 {
        (40 + self.number(BIASES, output, 20)) as i16
    }

    fn weight(&self, feature: usize, output: usize) -> i16 {
        self.number(WEIGHTS, feature * self.width + output, 14) as i16
    }

    fn psqt(&self, feature: usize, stack: usize) -> i32 {
        self.number(PSQT, feature * 64 + stack, 900)
    }

    /// A number that is the same in 32 bits.
    fn progress(&self, king: usize, piece: usize) -> f64 {
        f64::from(self.number(PROGRESS, king * 1_548 + piece, 40) as f32 / 1_024.0)
    }

    fn is_stacked(&self) -> bool {
        self.form != Form::Classical
    }

    fn stacks(&self) -> usize {
        match self.form {
            Form::Classical => 1,
            Form::Sfnn { .. } => 9,
            Form::LayerStack { stacks, .. } => stacks,
        }
    }

    /// Inputs and outputs of the dense layers.
    fn shapes(&self) -> [(usize, usize); 3] {
        let [first, second] = self.outputs;
        if self.is_stacked() {
            [(self.width, first), (2 * (first - 1), second), (second, 1)]
        } else {
            [(2 * self.width, first), (first, second), (second, 1)]
        }
    }

    fn layer_group(stack: usize, layer: usize) -> u64 {
        LAYERS + 4 * stack as u64 + layer as u64
    }

    fn layer_bias(&self, stack: usize, layer: usize, output: usize) -> i32 {
        self.number(Self::layer_group(stack, layer) << 1, output, 900)
    }

    /// A weight as it stands in the file, where those of other shards are not zero.
    fn layer_weight(&self, stack: usize, layer: usize, output: usize, input: usize) -> i8 {
        let (inputs, _) = self.shapes()[layer];
        let size = [60, 50, 60][layer] * 8 / (inputs as f64).sqrt() as i32;
        let index = output * 16_384 + input;
        let number = self.number(Self::layer_group(stack, layer) << 1 | 1, index, size.max(2));
        number.clamp(-128, 127) as i8
    }

    /// Returns true if an output of the first hidden layer sees an input.
    fn sees(&self, output: usize, input: usize) -> bool {
        let Form::Sfnn { common, shard, groups } = self.form else { return true };
        if groups == 0 || input < common {
            return true;
        }
        let group = output / (self.outputs[0] / groups);
        (input - common) / shard == group
    }

    /// The hash of the layers: that of the format, where one is checked.
    pub(crate) fn layers_hash(&self) -> u32 {
        match self.form {
            Form::Sfnn { .. } => return 0x6333_718A,
            Form::LayerStack { .. } => return 0x1234_5678,
            Form::Classical => {}
        }
        let mut hash = 0xEC42_E90D_u32 ^ (2 * self.width as u32);
        for (layer, (_, outputs)) in self.shapes().into_iter().enumerate() {
            hash = 0xCC03_DAE4_u32.wrapping_add(outputs as u32) ^ (hash >> 1) ^ (hash << 31);
            if layer < 2 {
                hash = hash.wrapping_add(0x538D_24C7);
            }
        }
        hash
    }

    /// Writes a file with this text and hash of the first layer.
    pub(crate) fn file(&self, text: &str, features_hash: u32) -> Vec<u8> {
        let mut file = Vec::new();
        let mut number = |number: u32| file.extend(number.to_le_bytes());
        let version = match self.form {
            Form::LayerStack { is_named: true, .. } => 0x7AF3_2F21,
            Form::LayerStack { .. } => 0x7AF3_2F20,
            _ => 0x7AF3_2F16,
        };
        number(version);
        number(features_hash ^ self.layers_hash());
        number(text.len() as u32);
        file.extend(text.as_bytes());
        if let Form::LayerStack { stacks, is_named: true, .. } = self.form {
            file.extend((stacks as u32).to_le_bytes());
        }
        file.extend(features_hash.to_le_bytes());
        let biases: Vec<i16> = (0..self.width).map(|output| self.bias(output)).collect();
        let weights = (0..self.set.inputs())
            .flat_map(|feature| (0..self.width).map(move |output| self.weight(feature, output)));
        if self.is_stacked() {
            block(&mut file, biases.into_iter());
            block(&mut file, weights);
        } else {
            biases.iter().for_each(|bias| file.extend(bias.to_le_bytes()));
            weights.for_each(|weight| file.extend(weight.to_le_bytes()));
        }
        self.write_rest(&mut file);
        file
    }

    fn write_rest(&self, file: &mut Vec<u8>) {
        if let Form::LayerStack { stacks, has_psqt: true, .. } = self.form {
            file.resize(file.len() + 4 * stacks, 0);
            for feature in 0..self.set.inputs() {
                for stack in 0..stacks {
                    file.extend(self.psqt(feature, stack).to_le_bytes());
                }
            }
        }
        for stack in 0..self.stacks() {
            file.extend(self.layers_hash().to_le_bytes());
            for (layer, (inputs, outputs)) in self.shapes().into_iter().enumerate() {
                for output in 0..outputs {
                    file.extend(self.layer_bias(stack, layer, output).to_le_bytes());
                }
                for output in 0..outputs {
                    let weight = |input| match input < inputs {
                        true => self.layer_weight(stack, layer, output, input) as u8,
                        false => 0,
                    };
                    file.extend((0..padded(inputs)).map(weight));
                }
            }
        }
    }

    /// The content of `progress.bin`.
    pub(crate) fn progress_file(&self) -> Vec<u8> {
        let row = |king| (0..1_548).map(move |piece| self.progress(king, piece));
        (0..81).flat_map(row).flat_map(f64::to_le_bytes).collect()
    }

    /// The output of the network for the side to move.
    pub(crate) fn raw(&self, position: &Position) -> i32 {
        let us = position.side();
        let sums = [us, !us].map(|viewer| {
            let features = features(self.set, position, viewer);
            let sum = |output| {
                features.iter().fold(i32::from(self.bias(output)), |sum, feature| {
                    sum + i32::from(self.weight(*feature, output))
                })
            };
            (0..self.width).map(sum).collect::<Vec<i32>>()
        });
        if !self.is_stacked() {
            let inputs = sums.concat().iter().map(|sum| *sum.clamp(&0, &127)).collect();
            return self.output(0, inputs);
        }
        let half = self.width / 2;
        let product = |view: &Vec<i32>, at: usize| {
            view[at].clamp(0, 127) * view[half + at].clamp(0, 127) / 128
        };
        let inputs =
            sums.iter().flat_map(|view| (0..half).map(move |at| product(view, at))).collect();
        let stack = self.stack_of(position);
        let output = self.output(stack, inputs);
        let Form::LayerStack { has_psqt: true, .. } = self.form else { return output };
        let [own, other] = [us, !us].map(|viewer| {
            let features = features(self.set, position, viewer);
            features.iter().map(|feature| self.psqt(*feature, stack)).sum::<i32>()
        });
        output + (own - other) / 2
    }

    fn output(&self, stack: usize, inputs: Vec<i32>) -> i32 {
        let [first, second] = self.outputs;
        let layer = |layer: usize, inputs: &[i32], outputs: usize| -> Vec<i32> {
            let sum = |output| {
                let bias = self.layer_bias(stack, layer, output);
                inputs.iter().enumerate().fold(bias, |sum, (input, value)| {
                    let is_seen = layer > 0 || self.sees(output, input);
                    let weight = i32::from(self.layer_weight(stack, layer, output, input));
                    sum + if is_seen { value * weight } else { 0 }
                })
            };
            (0..outputs).map(sum).collect()
        };
        let clip = |sums: &[i32]| -> Vec<i32> {
            sums.iter().map(|sum| (sum >> 6).clamp(0, 127)).collect()
        };
        let sums = layer(0, &inputs, first);
        if !self.is_stacked() {
            let sums = layer(1, &clip(&sums), second);
            return layer(2, &clip(&sums), 1)[0];
        }
        let (hidden, shortcut) = sums.split_at(first - 1);
        let square = |sum: &i32| ((i64::from(*sum) * i64::from(*sum)) >> 19).min(127) as i32;
        let seen: Vec<i32> = hidden.iter().map(square).chain(clip(hidden)).collect();
        let sums = layer(1, &seen, second);
        layer(2, &clip(&sums), 1)[0] + shortcut[0]
    }

    /// The number of a position's stack.
    pub(crate) fn stack_of(&self, position: &Position) -> usize {
        let us = position.side();
        let third = |viewer: Color| seen(viewer, king(position, viewer)) % 9 / 3;
        let thirds = 3 * third(us) + third(!us);
        let Form::LayerStack { stacks, by_progress, .. } = self.form else { return thirds };
        if !by_progress {
            return thirds.min(stacks - 1);
        }
        let sum: f64 = Color::ALL
            .into_iter()
            .flat_map(|viewer| {
                let square = seen(viewer, king(position, viewer));
                let pieces = pieces(position, viewer).into_iter().filter(|piece| *piece < 1_548);
                pieces.map(move |piece| self.progress(square, piece))
            })
            .sum();
        let progress = 1.0 / (1.0 + (-sum).exp());
        ((stacks as f64 * progress) as usize).min(stacks - 1)
    }
}

/// A block of numbers of 7 bits a byte.
fn block(file: &mut Vec<u8>, numbers: impl Iterator<Item = i16>) {
    file.extend(b"COMPRESSED_LEB128");
    let len_at = file.len();
    file.extend([0; 4]);
    for number in numbers {
        match number {
            -64..=63 => file.push(number as u8 & 0x7F),
            -8_192..=8_191 => {
                file.extend([number as u8 & 0x7F | 0x80, (number >> 7) as u8 & 0x7F]);
            }
            _ => file.extend([
                number as u8 & 0x7F | 0x80,
                (number >> 7) as u8 & 0x7F | 0x80,
                (number >> 14) as u8 & 0x7F,
            ]),
        }
    }
    let len = (file.len() - len_at - 4) as u32;
    file[len_at..len_at + 4].copy_from_slice(&len.to_le_bytes());
}

fn king(position: &Position, side: Color) -> Square {
    position.king_square(side).expect("both sides have a king")
}

/// The number of a square as a side sees it: by file, then by rank.
fn seen(viewer: Color, square: Square) -> usize {
    let number = 9 * square.file().index() + square.rank().index();
    if viewer == Color::Black { number } else { 80 - number }
}

/// The numbers of all pieces as a side sees them; kings have planes from 1,548.
fn pieces(position: &Position, viewer: Color) -> Vec<usize> {
    use PieceKind::{Bishop, Dragon, Gold, Horse, King, Knight, Lance, Pawn, Rook, Silver};
    let mut pieces = Vec::new();
    for square in Square::ALL {
        let Some(piece) = position.piece_on(square) else { continue };
        let other = usize::from(piece.color() != viewer);
        let first = match piece.kind() {
            Pawn => 90,
            Lance => 252,
            Knight => 414,
            Silver => 576,
            Bishop => 900,
            Horse => 1_062,
            Rook => 1_224,
            Dragon => 1_386,
            King => 1_548,
            _ => 738,
        };
        pieces.push(first + 81 * other + seen(viewer, square));
    }
    for owner in Color::ALL {
        let first: [(PieceKind, [usize; 2]); 7] = [
            (Pawn, [1, 20]),
            (Lance, [39, 44]),
            (Knight, [49, 54]),
            (Silver, [59, 64]),
            (Gold, [69, 74]),
            (Bishop, [79, 82]),
            (Rook, [85, 88]),
        ];
        for (kind, bases) in first {
            let base = bases[usize::from(owner != viewer)];
            let count = position.hand(owner).count(kind) as usize;
            pieces.extend((0..count).map(|held| base + held));
        }
    }
    pieces
}

/// The active features of a view, in positions that have all pieces.
fn features(set: Set, position: &Position, viewer: Color) -> Vec<usize> {
    let own = seen(viewer, king(position, viewer));
    let pieces = pieces(position, viewer);
    assert_eq!(pieces.len(), 40, "no piece is missing");
    let merged = |piece: usize| if piece >= 1_629 { piece - 81 } else { piece };
    match set {
        Set::HalfKp => {
            pieces.iter().filter(|piece| **piece < 1_548).map(|piece| own * 1_548 + piece).collect()
        }
        Set::HalfKaHm2 => {
            let is_mirrored = own / 9 >= 5;
            let mirror = |number: usize| 9 * (8 - number / 9) + number % 9;
            let bucket = if is_mirrored { mirror(own) } else { own };
            let turned = |piece: usize| {
                if piece < 90 || !is_mirrored {
                    return merged(piece);
                }
                let (plane, square) = ((piece - 90) / 81, (piece - 90) % 81);
                merged(90 + 81 * plane + mirror(square))
            };
            pieces.iter().map(|piece| bucket * 1_629 + turned(*piece)).collect()
        }
        // The planes of the kings follow the pieces.
        Set::Kp => pieces,
        Set::Ka2 => {
            let kings = pieces.iter().filter(|piece| **piece >= 1_548).map(|piece| piece + 81);
            pieces.iter().map(|piece| merged(*piece)).chain(kings).collect()
        }
    }
}
