"""Training data as numpy arrays without copies, and training of networks.

    records = komadai.training.load("data.psv")          # a memory map
    scores = records["score"]                            # int16, for the side to move
    values = komadai.training.evaluate(komadai.Network(), records)

The fields of the records have the names that cshogi gives them.

    komadai.training.generate("data", 100_000)           # games of the bundled network
    trainer = komadai.training.Trainer("data", threads=0, width=64)
    trainer.train(on_point=print, save="state")          # Ctrl-C keeps the state
    trainer.network("my first").save("nn.bin")

`features` gives the inputs of networks for trainers of your own: see `examples/train_pytorch.py`.
"""

import os

import numpy as np

from komadai._native import (
    Architecture,
    Board,
    Boards,
    DataError,
    LossPoint,
    Move,
    Trainer,
    TrainingError,
    TrainingReport,
    board_of_row,
    check_rows,
    generate,
    legal_moves_of_rows,
    pack,
)

__all__ = [
    "HCPE",
    "LossPoint",
    "PSV",
    "Trainer",
    "TrainingError",
    "TrainingReport",
    "board",
    "boards",
    "check",
    "evaluate",
    "features",
    "generate",
    "legal_moves",
    "load",
    "record",
    "save",
]

#: YaneuraOu's PackedSfenValue, 40 bytes: the position, the score, the best move (16 bits), the
#: number of the next move, and the result for the side to move (1, 0, -1).
PSV = np.dtype(
    [
        ("sfen", "u1", 32),
        ("score", "<i2"),
        ("move", "<u2"),
        ("gamePly", "<u2"),
        ("game_result", "i1"),
        ("padding", "u1"),
    ]
)

#: Apery's HuffmanCodedPosAndEval, 38 bytes: the position, the score, the best move in Apery's
#: 16 bits, and the result (0 draw, 1 Black won, 2 White won).
HCPE = np.dtype(
    [
        ("hcp", "u1", 32),
        ("eval", "<i2"),
        ("bestMove16", "<u2"),
        ("gameResult", "i1"),
        ("dummy", "u1"),
    ]
)

_LAYOUTS = {PSV: "psv", HCPE: "hcpe"}


def _layout(records):
    layout = _LAYOUTS.get(records.dtype)
    if layout is None:
        raise DataError(f"found an array of {records.dtype}, expected PSV or HCPE")
    return layout


def _rows(records):
    flat = np.ascontiguousarray(records).reshape(-1)
    return flat.view(np.uint8).reshape(len(flat), records.dtype.itemsize)


def load(path, dtype=None, mode="r"):
    """A file of records as a memory map of shape (n,): mode "r" read only, "c" copy on write.

    Without dtype the ending decides: .hcpe for HCPE, anything else PSV.
    """
    if dtype is None:
        dtype = HCPE if str(path).endswith(".hcpe") else PSV
    size = os.path.getsize(path)
    if size % dtype.itemsize:
        raise DataError(
            f"{path}: found {size} bytes, expected a multiple of {dtype.itemsize}"
        )
    if size == 0:
        return np.empty(0, dtype)
    return np.memmap(path, dtype, mode)


def save(path, records):
    """Writes records: to a temporary file that then takes the name."""
    _layout(records)
    temporary = f"{os.fspath(path)}.tmp{os.getpid()}"
    try:
        with open(temporary, "wb") as file:
            file.write(np.ascontiguousarray(records).data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise


def check(records):
    """The indices of faulty records: an impossible position, an illegal move, no result."""
    return check_rows(_rows(records), _layout(records))


def board(record):
    """The board of one record."""
    return board_of_row(record.tobytes(), _layout(record))


def boards(records):
    """An iterator over the boards of records; a faulty record is a DataError that names it."""
    return Boards(_rows(records), _layout(records))


def legal_moves(records, encoding="psv", threads=1):
    """The legal moves of records as 16-bit numbers: (moves, offsets).

    moves is uint16 of shape (m,), offsets int64 of shape (n + 1,): those of record i are
    moves[offsets[i]:offsets[i + 1]]. encoding "psv" has the numbers of Move and of PSV, "apery"
    those of HCPE and of cshogi's move16. threads share the work; 0 takes all cores.
    """
    return legal_moves_of_rows(_rows(records), _layout(records), encoding=encoding, threads=threads)


def record(board, score, move=None, result=0):
    """A PSV record of a board: shape (), for the side to move."""
    found = np.zeros((), PSV)
    found["sfen"] = np.frombuffer(pack(board, "psv"), np.uint8)
    found["score"] = score
    found["move"] = 0 if move is None else int(Move(move))
    found["gamePly"] = min(board.move_number, 65535)
    found["game_result"] = result
    return found


def evaluate(network, records, threads=1):
    """The values of records by a network in centipawns for the side to move, int32 of shape (n,)."""
    return network.evaluate_rows(_rows(records), _layout(records), threads=threads)


def features(architecture, records, threads=1):
    """The inputs of records in a network's first layer, for trainers: (own, other).

    architecture is an Architecture or its name, such as "halfkp_256x2-32-32". own is the view of the
    side to move, other that of the other side; each is a pair (indices, offsets), int64 of shapes
    (m,) and (n + 1,), as torch.nn.EmbeddingBag takes them with mode="sum" and
    include_last_offset=True: the indices of record i are indices[offsets[i]:offsets[i + 1]].
    threads share the work; 0 takes all cores.
    """
    if not isinstance(architecture, Architecture):
        architecture = Architecture(architecture)
    return architecture.active_rows(_rows(records), _layout(records), threads=threads)
