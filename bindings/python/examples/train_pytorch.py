"""Trains a small network with PyTorch and writes a file that komadai and other engines play with.

    python examples/train_pytorch.py --positions 50000 --out nn.bin
    python examples/train_pytorch.py --data data.psv --architecture halfkp_256x2-32-32 --out nn.bin

Without --data the bundled network plays games against itself first. A network is trained in
floating point, with its weights kept in the range of the file, and rounded at the end: `Quantised`
is what the file computes, number for number.
"""

import argparse
import tempfile
from pathlib import Path

import komadai
import numpy as np
import torch
from komadai import training
from torch import nn
from torch.nn import functional

#: The number in a file for 1.0: activations, weights of hidden layers, and the output, of which 16
#: units (FV_SCALE) are 1/90 of a pawn.
ACTIVATION, HIDDEN = 127, 64
#: The centipawns for which the expected result is 1 / (1 + 1/e) = 0.73: the output 1.0.
SCORE = 600
OUTPUT = SCORE * 90 / 100 * 16


class Model(nn.Module):
    """The network in floating point; its output times SCORE is in centipawns for the side to move."""

    def __init__(self, architecture):
        super().__init__()
        self.architecture = architecture
        first, second = architecture.hidden
        self.weights = nn.Parameter(torch.randn(architecture.inputs, architecture.width) * 0.1)
        self.biases = nn.Parameter(torch.full((architecture.width,), 0.5))
        self.layers = nn.ModuleList(
            [nn.Linear(2 * architecture.width, first), nn.Linear(first, second), nn.Linear(second, 1)]
        )

    def forward(self, own, other):
        views = [bag_sums(view, self.weights) + self.biases for view in (own, other)]
        values = torch.cat(views, 1).clamp(0, 1)
        for layer in self.layers[:-1]:
            values = layer(values).clamp(0, 1)
        return self.layers[-1](values)[:, 0]

    @torch.no_grad()
    def clip(self):
        """Keeps the weights in the range of int8."""
        for layer in self.layers[:-1]:
            layer.weight.clamp_(-127 / HIDDEN, 127 / HIDDEN)
        most = 127 * ACTIVATION / OUTPUT
        self.layers[-1].weight.clamp_(-most, most)


class Quantised:
    """The network of whole numbers: that of the file."""

    @torch.no_grad()
    def __init__(self, model):
        self.architecture = model.architecture
        self.biases = rounded(model.biases * ACTIVATION, np.int16)
        self.weights = rounded(model.weights * ACTIVATION, np.int16)
        units = [HIDDEN, HIDDEN, OUTPUT / ACTIVATION]
        self.layers = [
            (rounded(layer.bias * unit * ACTIVATION, np.int32), rounded(layer.weight * unit, np.int8))
            for layer, unit in zip(model.layers, units)
        ]

    @torch.no_grad()
    def forward(self, own, other):
        """Centipawns for the side to move. Numbers of 64 bits hold all sums without rounding."""
        weights, biases = exact(self.weights), exact(self.biases)
        values = torch.cat([bag_sums(view, weights) + biases for view in (own, other)], 1).clamp(0, 127)
        for biases, weights in self.layers[:-1]:
            sums = values @ exact(weights).T + exact(biases)
            values = torch.floor(sums / HIDDEN).clamp(0, 127)
        biases, weights = self.layers[-1]
        output = (values @ exact(weights).T + exact(biases))[:, 0]
        return torch.trunc(torch.trunc(output / 16) * 100 / 90).to(torch.int32)

    def network(self, origin):
        """The network as komadai plays with it."""
        return komadai.Network.from_weights(
            self.architecture, self.biases, self.weights, self.layers, origin=origin
        )


def bag_sums(view, weights):
    indices, offsets = map(torch.from_numpy, view)
    return functional.embedding_bag(indices, weights, offsets, mode="sum", include_last_offset=True)


def rounded(numbers, dtype):
    limits = np.iinfo(dtype)
    return numbers.round().clamp(limits.min, limits.max).numpy().astype(dtype)


def exact(numbers):
    return torch.from_numpy(numbers.astype(np.float64))


def train(architecture, records, epochs=4, batch=1024, rate=3e-3, result_share=0.2, seed=1):
    """A model of records (PSV) in which no side has won yet."""
    torch.manual_seed(seed)
    source = np.random.default_rng(seed)
    records = records[np.abs(records["score"]) < 3000]
    held_out, learned = records[: len(records) // 20], records[len(records) // 20 :]
    model = Model(architecture)
    optimizer = torch.optim.Adam(model.parameters(), rate)
    steps = epochs * -(-len(learned) // batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, max(steps, 1))

    def loss_of(records):
        score = torch.from_numpy(records["score"].astype(np.float32)) / SCORE
        result = (torch.from_numpy(records["game_result"].astype(np.float32)) + 1) / 2
        target = (1 - result_share) * torch.sigmoid(score) + result_share * result
        output = model(*training.features(architecture, records))
        return functional.binary_cross_entropy_with_logits(output, target)

    for epoch in range(epochs):
        order = source.permutation(len(learned))
        for start in range(0, len(order), batch):
            optimizer.zero_grad()
            loss_of(learned[order[start : start + batch]]).backward()
            optimizer.step()
            schedule.step()
            model.clip()
        with torch.no_grad():
            print(f"epoch {epoch + 1}: loss on held-out games {loss_of(held_out):.4f}")
    return model


def main(arguments=None):
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--data", help="records (PSV); games are played without")
    options.add_argument("--positions", type=int, default=50_000, help="number of positions to play")
    options.add_argument("--architecture", default="kp_64x2-8-16")
    options.add_argument("--epochs", type=int, default=4)
    options.add_argument("--out", default="nn.bin")
    options = options.parse_args(arguments)
    architecture = komadai.Architecture(options.architecture)
    with tempfile.TemporaryDirectory() as folder:
        if not options.data:
            training.generate(folder, options.positions, nodes=200)
            options.data = Path(folder) / "00000.psv"
        records = np.array(training.load(options.data))
    quantised = Quantised(train(architecture, records, options.epochs))
    quantised.network("examples/train_pytorch.py").save(options.out)

    network = komadai.Network(options.out)
    sample = records[:1000]
    ours = training.evaluate(network, sample)
    theirs = quantised.forward(*training.features(architecture, sample)).numpy()
    print(
        f"{options.out}: {network.architecture}, the values of {np.mean(ours == theirs):.1%} of {len(sample)} positions are equal"
    )
    engine = komadai.Engine(options.out)
    print(engine.analyse(komadai.Board(), komadai.Limit(nodes=50_000)))
    return quantised


if __name__ == "__main__":
    main()
