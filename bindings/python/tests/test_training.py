"""Training, and the inputs and weights of networks."""

import _thread
import importlib.util
import pathlib
import threading

import numpy as np
import pytest

from komadai import (
    Architecture,
    Board,
    DataError,
    Engine,
    Limit,
    Move,
    Network,
    NetworkError,
    TrainingError,
    training,
)

EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A folder of 2,000 positions."""
    folder = tmp_path_factory.mktemp("data")
    seen = []
    games, positions = training.generate(folder, 2_000, nodes=20, threads=2, seed=3, on_progress=seen.append)
    assert games > 5 and positions >= 2_000 and seen[-1] == positions and len(seen) == games
    return folder


@pytest.fixture(scope="module")
def records(data):
    return training.load(data / "00000.psv")


def test_games_depend_on_the_seed_alone(tmp_path, records):
    training.generate(tmp_path / "same", 300, nodes=20, threads=1, seed=3)
    same = training.load(tmp_path / "same" / "00000.psv")
    assert same.tobytes() == records[: len(same)].tobytes()
    training.generate(tmp_path / "other", 300, nodes=20, seed=4)
    assert training.load(tmp_path / "other" / "00000.psv").tobytes() != same.tobytes()
    assert training.check(records).tolist() == []
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(DataError):
        training.generate(tmp_path / "file", 10)


def test_an_exception_of_the_callback_ends_the_games(tmp_path):
    def fail(positions):
        raise KeyError(positions)

    with pytest.raises(KeyError):
        training.generate(tmp_path, 10**9, nodes=20, threads=1, on_progress=fail)
    assert len(training.load(tmp_path / "00000.psv")) > 0


def test_boards_and_legal_moves_of_records(records):
    boards = list(training.boards(records))
    assert boards[:9] == [training.board(record) for record in records[:9]]
    for threads in (1, 3):
        moves, offsets = training.legal_moves(records, threads=threads)
        assert (moves.dtype, offsets.dtype, len(offsets)) == ("uint16", "int64", len(records) + 1)
        for number, board in enumerate(boards):
            assert (moves[offsets[number] : offsets[number + 1]] == board.legal_moves_array()).all()
    apery, _ = training.legal_moves(records, "apery")
    assert [Move.from_apery(int(m)) for m in apery[:300]] == [Move(int(m)) for m in moves[:300]]
    assert all(Move.from_apery(m.apery) == m for m in map(Move, ["7g7f", "8h2b+", "P*5e", "R*1a"]))
    empty = training.legal_moves(records[:0])
    assert [array.tolist() for array in empty] == [[], [0]]
    broken = records[:5].copy()
    broken["sfen"][3] = 0xFF
    found = training.boards(broken)
    assert len(found) == 5 and [next(found) for _ in range(3)] == boards[:3]
    with pytest.raises(DataError, match="record 3"):
        next(found)
    assert next(found) == boards[4] and list(found) == []
    with pytest.raises(DataError, match="record 3"):
        training.legal_moves(broken, threads=2)


def test_moves_have_the_numbers_of_cshogi(records):
    cshogi = pytest.importorskip("cshogi")
    moves, offsets = training.legal_moves(records[::40], "apery")
    other = cshogi.Board()
    for number, record in enumerate(records[::40]):
        other.set_psfen(record["sfen"])
        ours = set(moves[offsets[number] : offsets[number + 1]].tolist())
        assert {cshogi.move16(m) for m in other.legal_moves} <= ours


def forward(architecture, parts, records):
    """The values of a classical network, plainly."""
    biases, weights, layers = parts
    sums = []
    for indices, offsets in training.features(architecture, records, threads=2):
        rows = np.split(weights[indices].astype(np.int64), offsets[1:-1])
        sums.append(biases + np.array([row.sum(0) for row in rows]))
    values = np.clip(np.concatenate(sums, 1), 0, 127)
    for bias, weight in layers[:-1]:
        values = np.clip((values @ weight.T.astype(np.int64) + bias) >> 6, 0, 127)
    bias, weight = layers[-1]
    output = (values @ weight.T.astype(np.int64) + bias)[:, 0]
    return [int(int(o / 16) * 100 / 90) for o in output]


@pytest.mark.parametrize(
    "name", ["kp_32x2-8-16", "halfkp_32x2-8-8", "halfkahm2_64x2-16-32", "halfkpe9_32x2-8-8"]
)
def test_inputs_and_weights_are_those_of_the_network(name, records, tmp_path):
    source = np.random.default_rng(1)
    architecture = Architecture(name)
    first, second = architecture.hidden
    width = architecture.width
    parts = (
        source.integers(-200, 200, width, np.int16),
        source.integers(-60, 60, (architecture.inputs, width), np.int16),
        [
            (
                source.integers(-9000, 9000, outputs, np.int32),
                source.integers(-40, 40, (outputs, inputs), np.int8),
            )
            for inputs, outputs in [(2 * width, first), (first, second), (second, 1)]
        ],
    )
    made = Network.from_weights(architecture, *parts, origin="a test")
    made.save(tmp_path / "nn.bin")
    network = Network(tmp_path / "nn.bin")
    assert network.architecture == architecture == Architecture(str(network.architecture))
    assert "a test" in network.description
    sample = records[::20]
    values = training.evaluate(network, sample)
    assert values.tolist() == forward(name, parts, sample) and len(set(values.tolist())) > 20
    (own, offsets), _ = training.features(architecture, sample)
    assert own.dtype == offsets.dtype == np.int64 and own.max() < architecture.inputs
    for number, board in enumerate(training.boards(sample[:20])):
        assert architecture.active(board)[0].tolist() == own[offsets[number] : offsets[number + 1]].tolist()
    assert Engine(tmp_path / "nn.bin").play(Board(), Limit(nodes=500)).move in Board().legal_moves


def test_weights_of_another_shape_are_refused():
    with pytest.raises(NetworkError, match="expected a name"):
        Architecture("halfkp")
    layers = [
        (np.zeros(8, np.int32), np.zeros((8, 64), np.int8)),
        (np.zeros(8, np.int32), np.zeros((8, 8), np.int8)),
    ]
    layers.append((np.zeros(1, np.int32), np.zeros((1, 8), np.int8)))
    weights = np.zeros((Architecture("kp_32x2-8-8").inputs, 32), np.int16)
    assert Network.from_weights("kp_32x2-8-8", np.zeros(32, np.int16), weights, layers).evaluate(Board()) == 0
    with pytest.raises(NetworkError, match="found 31 biases of the first layer, expected 32"):
        Network.from_weights("kp_32x2-8-8", np.zeros(31, np.int16), weights, layers)
    with pytest.raises(TypeError):
        Network.from_weights("kp_32x2-8-8", np.zeros(32), weights, layers)


def options(**others):
    return {"width": 32, "epochs": 2, "interval": 700, "batch": 128, **others}


def test_a_training_goes_on_where_it_stopped(data, tmp_path):
    whole = training.Trainer(data, threads=2, **options())
    seen = []
    report = whole.train(seen.append)
    assert whole.is_finished and whole.advance() is None
    assert len(seen) == len(report.points) >= 3 and report.training > 500 and report.held_out > 0
    assert report.points[-1].epoch == 2.0 and "<svg" in report._repr_svg_()
    assert report.best.held_out_loss == min(point.held_out_loss for point in report.points)

    stopped = training.Trainer([data / "00000.psv"], **options())
    with pytest.raises(ZeroDivisionError):
        stopped.train(lambda point: 1 / 0, save=tmp_path / "state")
    resumed = training.Trainer(data, resume=tmp_path / "state", **options())
    assert 1 <= len(resumed.report.points) < len(report.points)
    resumed.train()
    stopped.train()
    for trainer, name in [(whole, "a"), (stopped, "b"), (resumed, "c")]:
        trainer.network("a test").save(tmp_path / name)
    first = (tmp_path / "a").read_bytes()
    assert (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes() == first
    assert Network(tmp_path / "a").architecture == Architecture("compact_32x2_1")
    training.Trainer(data, network=Network(tmp_path / "a"), **options())
    half_kp = training.Trainer(data, **options(architecture="half_kp", epochs=1))
    assert half_kp.advance().positions >= 700
    assert half_kp.network().architecture == Architecture("halfkp_32x2-32-32")


def interrupt_after(seconds):
    """Ctrl-C, after some time."""
    timer = threading.Timer(seconds, _thread.interrupt_main)
    timer.start()
    return timer


def test_ctrl_c_keeps_the_state(data, tmp_path):
    trainer = training.Trainer(data, **options(epochs=1_000_000))
    with pytest.raises(KeyboardInterrupt):
        interrupt_after(0.5)
        trainer.train(save=tmp_path / "state")
    seen = trainer.report.points[-1].positions
    resumed = training.Trainer(data, resume=tmp_path / "state", **options(epochs=1_000_000))
    assert resumed.report.points[-1].positions == seen > 0 and not trainer.is_finished
    assert trainer.advance().held_out_loss == resumed.advance().held_out_loss
    with pytest.raises(KeyboardInterrupt):
        interrupt_after(0.5)
        training.generate(tmp_path / "games", 10**9, nodes=20)
    assert len(training.load(tmp_path / "games" / "00000.psv")) > 0
    with pytest.raises(KeyboardInterrupt):
        interrupt_after(0.5)
        Board().perft(20)


def test_faults_of_a_training(data, tmp_path):
    assert training.Trainer.options()["width"] == 128 and training.Trainer.options("half_kp")["width"] == 256
    for bad, text in [
        ({"widht": 64}, "expected architecture, base"),
        ({"width": 33}, "multiple of 32"),
        ({"width": "much"}, "width: invalid type"),
        ({"architecture": "transformer"}, "expected `compact` or `half_kp`"),
    ]:
        with pytest.raises(TrainingError, match=text):
            training.Trainer(data, **bad)
    with pytest.raises(TrainingError, match="cannot use the file"):
        training.Trainer(data, resume=tmp_path / "none")
    with pytest.raises(DataError):
        training.Trainer(tmp_path / "none")
    with pytest.raises(TypeError):
        training.Trainer(3)


def test_the_example_with_pytorch(data, tmp_path, capsys):
    pytest.importorskip("torch")
    spec = importlib.util.spec_from_file_location("train_pytorch", EXAMPLES / "train_pytorch.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    out = tmp_path / "nn.bin"
    quantised = example.main(["--data", str(data / "00000.psv"), "--epochs", "2", "--out", str(out)])
    assert "the values of 100.0% of 1000 positions are equal" in capsys.readouterr().out
    sample = training.load(data / "00000.psv")
    values = quantised.forward(*training.features(quantised.architecture, sample)).tolist()
    assert training.evaluate(Network(out), sample).tolist() == values and len(set(values)) > 100
