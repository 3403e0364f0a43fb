//! ONNX files of networks with random weights, with the inputs and outputs of dlshogi.
//!
//! The layout is that of dlshogi's residual networks, with any width and depth: two convolutions of
//! the inputs are added, then come residual blocks with the activation x · sigmoid(x), a policy
//! head and a value head. Batch normalisation is missing: exporters merge it into the convolutions.

use komadai_core::SplitMix64;
use tract_onnx::prelude::f16;

use super::protobuf::Message;

/// The size of a network, and the shape of its batches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Network {
    pub(crate) channels: u64,
    pub(crate) blocks: usize,
    /// The number of positions of all batches, `None` for any.
    pub(crate) batch: Option<u64>,
    /// The number of planes of the second input: 57, or 119 with entering kings.
    pub(crate) planes2: u64,
    pub(crate) numbers: Numbers,
}

/// The numbers of a network: its weights, inputs and outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(dead_code, reason = "only the tests use all of them")]
pub(crate) enum Numbers {
    Single,
    /// Single precision with the weights of [`Half`](Self::Half).
    Rounded,
    Half,
}

impl Numbers {
    /// The type's number in ONNX.
    fn code(self) -> u64 {
        if self == Self::Half { 10 } else { 1 }
    }
}

/// A graph under construction.
struct Graph {
    message: Message,
    numbers: Numbers,
    random: SplitMix64,
    /// The number of tensors so far, which are named by it.
    tensors: usize,
}

impl Graph {
    fn name(&mut self) -> String {
        self.tensors += 1;
        format!("t{}", self.tensors)
    }

    /// Adds a weight tensor of small random numbers.
    fn weights(&mut self, shape: &[u64]) -> String {
        let name = self.name();
        let count: u64 = shape.iter().product();
        let inputs = (count / shape[0]).max(1) as f32;
        let mut data = Vec::new();
        for _ in 0..count {
            let uniform = self.random.below(2_001) as f32 / 1_000.0 - 1.0;
            let weight = uniform * (2.0 / inputs).sqrt();
            match self.numbers {
                Numbers::Single => data.extend(weight.to_le_bytes()),
                Numbers::Rounded => data.extend(f16::from_f32(weight).to_f32().to_le_bytes()),
                Numbers::Half => data.extend(f16::from_f32(weight).to_le_bytes()),
            }
        }
        let tensor = shape.iter().fold(Message::default(), |tensor, &size| tensor.number(1, size));
        let tensor = tensor.number(2, self.numbers.code()).bytes(8, &name).bytes(9, data);
        self.add(5, tensor);
        name
    }

    fn add(&mut self, field: u64, part: Message) {
        self.message = std::mem::take(&mut self.message).bytes(field, part.0);
    }

    /// Adds a node and returns the name of its output.
    fn node(&mut self, kind: &str, inputs: &[&str], attributes: &[(&str, &[u64])]) -> String {
        let output = self.name();
        self.named_node(kind, inputs, attributes, &output);
        output
    }

    fn named_node(&mut self, kind: &str, inputs: &[&str], of: &[(&str, &[u64])], output: &str) {
        let node = inputs.iter().fold(Message::default(), |node, input| node.bytes(1, input));
        let mut node = node.bytes(2, output).bytes(3, format!("n-{output}")).bytes(4, kind);
        for (name, values) in of {
            let attribute = Message::default().bytes(1, name);
            let attribute = match values {
                // Integers and lists of integers have types of their own.
                [value] => attribute.number(3, *value).number(20, 2),
                _ => values.iter().fold(attribute, |a, &value| a.number(8, value)).number(20, 7),
            };
            node = node.bytes(5, attribute.0);
        }
        self.add(1, node);
    }

    /// Adds a convolution that keeps the board's size.
    fn convolution(&mut self, input: &str, from: u64, to: u64, size: u64) -> String {
        let (weights, bias) = (self.weights(&[to, from, size, size]), self.weights(&[to]));
        let attributes: [(&str, &[u64]); 2] =
            [("kernel_shape", &[size, size]), ("pads", &[size / 2; 4])];
        self.node("Conv", &[input, &weights, &bias], &attributes)
    }

    fn swish(&mut self, input: &str) -> String {
        let gate = self.node("Sigmoid", &[input], &[]);
        self.node("Mul", &[input, &gate], &[])
    }

    fn dense(&mut self, input: &str, from: u64, to: u64) -> String {
        let (weights, bias) = (self.weights(&[to, from]), self.weights(&[to]));
        self.node("Gemm", &[input, &weights, &bias], &[("transB", &[1])])
    }

    /// Adds the declaration of an input (field 11) or output (field 12).
    fn declare(&mut self, field: u64, name: &str, batch: Option<u64>, shape: &[u64]) {
        let first = match batch {
            Some(size) => Message::default().number(1, size),
            None => Message::default().bytes(2, "batch_size"),
        };
        let sizes = shape.iter().map(|&size| Message::default().number(1, size));
        let dims = [first].into_iter().chain(sizes);
        let dims = dims.fold(Message::default(), |dims, size| dims.bytes(1, size.0));
        let tensor = Message::default().number(1, self.numbers.code()).bytes(2, dims.0);
        let info =
            Message::default().bytes(1, name).bytes(2, Message::default().bytes(1, tensor.0).0);
        self.add(field, info);
    }
}

/// Returns the bytes of the file.
pub(crate) fn random_network(network: Network) -> Vec<u8> {
    let Network { channels, blocks, batch, planes2, numbers } = network;
    let random = SplitMix64::new(1);
    let message = Message::default().bytes(2, "random");
    let mut graph = Graph { message, numbers, random, tensors: 0 };
    let pieces = graph.convolution("input1", 62, channels, 3);
    let hands = graph.convolution("input2", planes2, channels, 1);
    let sum = graph.node("Add", &[&pieces, &hands], &[]);
    let mut board = graph.swish(&sum);
    for _ in 0..blocks {
        let inner = graph.convolution(&board, channels, channels, 3);
        let inner = graph.swish(&inner);
        let inner = graph.convolution(&inner, channels, channels, 3);
        let sum = graph.node("Add", &[&board, &inner], &[]);
        board = graph.swish(&sum);
    }
    let policy = graph.convolution(&board, channels, 27, 1);
    let policy = graph.node("Flatten", &[&policy], &[("axis", &[1])]);
    let bias = graph.weights(&[27 * 81]);
    graph.named_node("Add", &[&policy, &bias], &[], "output_policy");
    let value = graph.convolution(&board, channels, 27, 1);
    let value = graph.swish(&value);
    let value = graph.node("Flatten", &[&value], &[("axis", &[1])]);
    let value = graph.dense(&value, 27 * 81, 8);
    let value = graph.swish(&value);
    let value = graph.dense(&value, 8, 1);
    graph.named_node("Sigmoid", &[&value], &[], "output_value");
    graph.declare(11, "input1", batch, &[62, 9, 9]);
    graph.declare(11, "input2", batch, &[planes2, 9, 9]);
    graph.declare(12, "output_policy", batch, &[27 * 81]);
    graph.declare(12, "output_value", batch, &[1]);
    let version = Message::default().bytes(1, "").number(2, 15);
    let model = Message::default().number(1, 8).bytes(7, graph.message.0).bytes(8, version.0);
    model.0
}
