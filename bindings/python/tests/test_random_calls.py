"""100,000 random calls: each ends with a result or an exception of a usual type."""

import faulthandler
import inspect
import pathlib
import random
import sys

import numpy as np
import pytest

import komadai
from komadai import Board, Limit, Move, kifu, training

CALLS = 100_000
#: Calls of what searches, plays or starts processes.
COSTLY = 1_000
#: What a call may raise. A panic would be a PanicException, which is no Exception.
USUAL = (komadai.KomadaiError, TypeError, ValueError, LookupError, ArithmeticError, AttributeError, OSError, StopIteration)

KIF = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n\n変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\n"
BOARDS = [
    "startpos",
    "startpos moves 7g7f 3c3d 8h2b+",
    "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1",
    "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
]
INTEGERS = [0, 1, -1, 7, 80, 81, 255, 65_535, 65_536, 2**31, 2**63, 2**64, 2**70, -(2**70)]
FLOATS = [0.0, 1.5, -1.0, 1e300, float("nan"), float("inf")]
#: Texts without blanks.
WORDS = (
    "7g7f 8h2b+ P*5e 7g 5i5i x black white both japanese usi kif csa psv hcpe apery ７六歩 二枚落ち resign good auto "
    "27-point halfkp_32x2-8-8 kp_99999999999999999999x2-8-8 \0 \ud800 " + "一" * 300
).split(" ")
#: Values of parameters that cost time or memory in proportion, and huge ones, which are refused.
SMALL = [0, 1, 2, -1, 2**40, 2**70, 1.5, "x", None]
BOUNDED = {
    "depth": [0, 1, 2, 65, -1, 2**40, "x", None],
    "hash": SMALL,
    "threads": SMALL,
    "multipv": SMALL,
    "nodes": [1, 50, 0, -1, 2**70, "x"],
    "mate_nodes": [0, 10, -1, "x"],
    "positions": [0, 1, -1, 2**70, "x"],
    "games": [0, 1, -1, 2**70, "x"],
    "max_plies": [0, 1, 4, -1, 2**70, "x"],
    "random_plies": [0, 1, 3, -1, "x"],
    "limit": [Limit(nodes=30), Limit(depth=1), Limit(time=0.0), "x", 3],
    "epochs": [1],
    "options": [{}, {"USI_Hash": 1}, {"Threads": 0}, {"no": 1}, {1: 2}, "x"],
    "timeouts": [{"launch": 0.1, "ready": 0.1}, {"launch": -1.0}, {"no": 1.0}, "x"],
    "patience": [0.1, 1.0, -1.0, float("nan"), "x"],
    "margin": [0.1, -1.0, float("inf"), "x"],
}
COSTLY_NAMES = set(
    "Engine UsiEngine Trainer Network generate solve_mate check_problem match analyse_game "
    "analyse play ponder new_game configure save add propagate".split()
)
#: Not called: they belong to every object, or end the engine that the other calls need.
LEFT_OUT = set("__class__ __subclasshook__ __init_subclass__ __getattribute__ __init__ __del__ close quit __exit__".split())


def values(folder):
    """Values of right and wrong types, all of them and those for parameters of some names."""
    boards = [Board(text) for text in BOARDS]
    records = np.array([training.record(board, 30, next(iter(board.legal_moves), None)) for board in boards], training.PSV)
    broken = records.copy()
    broken["sfen"][1] = 0xFF
    games = kifu.parse_games(KIF)
    games[0].save(folder / "a.kif")
    (folder / "broken.csa").write_bytes(b"V2.2\nPI\n+\n+7775FU\n")
    (folder / "book.db").write_text(f"#YANEURAOU-DB2016 1.00\nsfen {Board().sfen()}\n7g7f 3c3d 35 20\n")
    training.save(folder / "a.psv", records)
    book, engine = komadai.Book(folder / "book.db"), komadai.Engine(hash=1)
    analysis = engine.analyse(Board(), Limit(nodes=50), multipv=2)
    graph = komadai.BookGraph.open(folder / "book.db")
    judged = komadai.analyse_game(games[0], engine, Limit(nodes=30), mate_nodes=10)
    tester = str(pathlib.Path(__file__).with_name("usi_engine.py"))
    waits = {"launch": 20.0, "ready": 2.0, "silence": 0.5, "stop": 0.5, "quit": 0.5}
    objects = [
        *(engine, analysis, analysis[0], analysis.score, engine.play(Board(), Limit(nodes=10)), boards[3].outcome()),
        *(komadai.solve_mate(boards[2], Limit(nodes=20_000)), book, book[Board()][0], komadai.Network()),
        *(komadai.Architecture("kp_32x2-8-8"), games[0].nodes[0], kifu.read_folder(folder), next(kifu.read_folder(folder))),
        *(graph, graph.value(Board()), graph.moves(Board())[0], graph.frontier()[0], judged, judged.moves[0]),
        *(komadai.TimeControl(byoyomi=0.01), komadai.match(engine, engine, Limit(nodes=10), games=2, max_plies=4)),
        komadai.UsiEngine(sys.executable, [tester], timeouts=waits),
    ]
    texts = WORDS + ["", Board().sfen(), "startpos moves 7g7f", KIF]
    arrays = [records, broken, records[:0], records[::2], records[0], np.zeros(3), np.zeros(32, np.int16)]
    arrays += [np.zeros(shape, np.uint8) for shape in [(2, 40), (2, 39), (0, 38), 38]]
    arrays += [np.ones((4, 80), np.uint8)[:, ::2], np.zeros(2, training.HCPE)]
    others = [None, (), [], {}, object(), b"", b"x" * 32, b"\xff" * 40, records[0].tobytes(), Board, komadai, {"a": 1}]
    others += [len, lambda *_: None, lambda *_: 1 / 0, ["7g7f"], [Move("7g7f")], ("7g7f", "good"), ("7g7f", 3), [None]]
    paths = [*map(folder.joinpath, ["a.kif", "broken.csa", "a.psv", "book.db", "none"]), str(folder), folder, ""]
    moves = [Move("7g7f"), Move("P*5e"), "3c3d", int(Move("2g2f")), Board().legal_moves[5]]
    by_name = {
        **{"board": boards, "position": BOARDS, "m": moves, "moves": [moves, [], ["7g7f"]], "square": ["7g", 0, 80]},
        **{"path": paths, "data": paths, "folder": [folder / "made"], "save": [folder / "state"], "game": games},
        **{"record": [records[0], broken[1]], "records": arrays[:4], "layout": ["psv", "hcpe"], "text": texts},
        **{"notation": ["japanese", "csa"], "color": ["black", "white"], "format": ["kif", "csa"]},
        **{"engine": [engine], "first": [engine], "second": [engine], "network": [komadai.Network()]},
    }
    everything = boards + INTEGERS + FLOATS + texts + arrays + others + paths + moves + games + objects
    return everything, by_name


def callables(everything):
    """The functions, and the members of the objects, by name: cheap ones and costly ones."""
    found = {}
    for module in (komadai, kifu, training):
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value) and not (inspect.isclass(value) and issubclass(value, Exception)):
                found[name] = [value]
    for thing in everything:
        if type(thing).__module__.startswith("komadai"):
            is_process = isinstance(thing, komadai.UsiEngine)
            for name in set(dir(type(thing))) - LEFT_OUT:
                owner = f"{type(thing).__name__}{':' if is_process else ''}.{name}"
                found.setdefault(owner, []).append((thing, name))
    costly = {name for name in found if name.split(".")[-1] in COSTLY_NAMES or ":" in name}
    return [{name: found[name] for name in names} for names in (found.keys() - costly, costly)]


def arguments(function, source, everything, by_name):
    """Values for the parameters of a function, most of them of the right types."""

    def value_of(name):
        if name in BOUNDED:
            return source.choice(BOUNDED[name])
        return source.choice(by_name[name] if name in by_name and source.random() < 0.7 else everything)

    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return [source.choice(everything) for _ in range(source.randrange(3))], {}
    positional, named = [], {}
    for parameter in parameters:
        name, is_bounded = parameter.name, parameter.name in BOUNDED
        has_default = parameter.default is not parameter.empty
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        if not is_bounded and source.random() < (0.5 if has_default else 0.02):
            continue
        if parameter.kind is parameter.POSITIONAL_ONLY:
            positional.append(value_of(name))
        else:
            named[name] = value_of(name)
    if source.random() < 0.02:
        named[source.choice(["x", "board", "none"])] = source.choice(everything)
    return positional, named


@pytest.mark.filterwarnings("ignore")
def test_random_calls_end_well(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = random.Random(48)
    everything, by_name = values(tmp_path)
    results = failures = 0
    # A call that hangs ends the tests with its traceback.
    faulthandler.dump_traceback_later(900, exit=True)
    try:
        for group, count in zip(callables(everything), (CALLS - COSTLY, COSTLY)):
            names = sorted(group)
            for number in range(count):
                name = names[number % len(names)]
                found = source.choice(group[name])
                try:
                    found = getattr(*found) if isinstance(found, tuple) else found
                    if callable(found):
                        positional, named = arguments(found, source, everything, by_name)
                        found = found(*positional, **named)
                    results += 1
                except USUAL:
                    failures += 1
                except BaseException as error:
                    pytest.fail(f"{name}: {type(error).__name__}: {error}")
    finally:
        faulthandler.cancel_dump_traceback_later()
    assert results > CALLS / 5 and failures > CALLS / 5, (results, failures)
