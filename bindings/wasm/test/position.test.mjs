import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./package.mjs";

const { default: init, KomadaiError, Position } = await load("index.js");
await init();

/** The exception of an action. */
function fault(action) {
    try {
        action();
    } catch (error) {
        assert(error instanceof KomadaiError, String(error));
        return error;
    }
    return assert.fail("no exception");
}

test("numbers of moves are the known ones", () => {
    // Published numbers: the start position, and a position with 593 moves.
    assert.deepEqual([1, 2, 3, 4].map((depth) => new Position().perft(depth)), [30, 900, 25_470, 719_731]);
    const most = new Position("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1");
    assert.equal(most.legalMoves().length, 593);
    assert.equal(new Set(most.legalMoves()).size, 593);
});

test("a position plays and takes back", () => {
    const position = new Position();
    position.push("7g7f");
    position.push("3c3d");
    assert.deepEqual(position.moves(), ["7g7f", "3c3d"]);
    assert.equal(position.usi.split(" moves ")[1], "7g7f 3c3d");
    assert.deepEqual([position.turn, position.ply, position.isCheck], ["black", 3, false]);
    position.push("8h2b+");
    assert.deepEqual(position.hand("black"), { B: 1 });
    assert.equal(position.pieceAt("2b"), "+B");
    assert.equal(position.pieceAt("5e"), undefined);
    const other = position.copy();
    assert.equal(position.pop(), "8h2b+");
    assert.equal(other.turn, "white");
    assert.deepEqual(position.movesFrom("7g"), []);
    assert.deepEqual(position.movesFrom("8h").sort(), ["8h2b", "8h2b+", "8h3c+", "8h4d", "8h5e", "8h6f", "8h7g", "8h3c"].sort());
    assert.deepEqual([position.pop(), position.pop(), position.pop()], ["3c3d", "7g7f", undefined]);
});

test("an illegal move names its rule and changes nothing", () => {
    const position = new Position("4k4/9/4P4/9/9/9/9/9/4K4 b P 1");
    assert.match(fault(() => position.push("P*5d")).message, /pawn/i);
    assert.equal(fault(() => position.push("P*5d")).code, "illegal-move");
    assert.match(position.whyIllegal("P*5d"), /pawn/i);
    assert.equal(position.whyIllegal("5c5b"), undefined);
    assert.equal(position.sfen, "4k4/9/4P4/9/9/9/9/9/4K4 b P 1");
    assert.equal(fault(() => position.push("5c5b!")).code, "sfen");
});

test("positions are read in every form", () => {
    const start = new Position().sfen;
    const bod = new Position("startpos moves 7g7f");
    for (const text of ["startpos", `sfen ${start}`, start, "平手"]) {
        assert.equal(Position.parse(text).sfen, start, text);
    }
    assert.equal(bod.ply, 2);
    assert.equal(Position.parse("二枚落ち").turn, "white");
    const board = [
        "後手の持駒：なし",
        "  ９ ８ ７ ６ ５ ４ ３ ２ １",
        "+---------------------------+",
        "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一",
        ...["二", "三", "四", "五", "六", "七", "八"].map((rank) => `| ・ ・ ・ ・ ・ ・ ・ ・ ・|${rank}`),
        "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九",
        "+---------------------------+",
        "先手の持駒：金",
    ];
    assert.equal(Position.parse(board.join("\n")).sfen, "4k4/9/9/9/9/9/9/9/4K4 b G 1");
});

test("an editor's pieces are validated", () => {
    const pieces = { board: { "5i": "K", "5a": "k", "2b": "+R" }, hands: { white: { P: 3 } }, turn: "white" };
    assert.equal(Position.fromPieces(pieces).sfen, "4k4/7+R1/9/9/9/9/9/9/4K4 w 3p 1");
    for (const [change, code] of [
        [{ board: { "5a": "k", "5i": "K", "4i": "K" } }, "sfen"],
        [{ board: { "5a": "P", "5i": "K" } }, "sfen"],
        [{ board: { "5j": "K" } }, "sfen"],
        [{ board: { "5i": "X" } }, "sfen"],
        [{ hands: { black: { P: 19 } } }, "argument"],
        [{ hands: { black: { K: 1 } } }, "argument"],
        [{ hands: { red: {} } }, "argument"],
        [{ turn: "red" }, "argument"],
        [{ side: "black" }, "argument"],
    ]) {
        assert.equal(fault(() => Position.fromPieces({ ...pieces, ...change })).code, code, JSON.stringify(change));
    }
});

test("moves have names", () => {
    const position = new Position();
    const names = ["japanese", "ki2", "kif", "csa", "western", "hodges", "hosking", "usi"];
    assert.deepEqual(names.map((notation) => position.name("7g7f", notation)), [
        "▲７六歩", "▲７六歩", "▲７六歩(77)", "+7776FU", "P-7f", "P-7f", "P76", "7g7f",
    ]);
    assert.deepEqual(position.line(["7g7f", "3c3d", "8h2b+"]), ["▲７六歩", "△３四歩", "▲２二角成"]);
    assert.equal(fault(() => position.name("7g7e")).code, "illegal-move");
    assert.equal(fault(() => position.name("7g7f", "klingon")).code, "argument");
});

test("games end by their rules", () => {
    assert.equal(new Position().outcome(), undefined);
    const mated = new Position("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    assert.deepEqual(mated.outcome(), { winner: "black", reason: "checkmate" });
    const repeated = new Position();
    for (const usi of Array(3).fill(["2h3h", "8b7b", "3h2h", "7b8b"]).flat()) {
        assert.equal(repeated.outcome(), undefined);
        repeated.push(usi);
    }
    assert.equal(repeated.outcome().winner, undefined);
    assert.match(repeated.outcome().reason, /repetition/);
});

test("pictures are drawn", () => {
    const position = new Position("startpos moves 7g7f");
    const plain = position.svg();
    assert.match(plain, /^<svg[^]*<\/svg>\s*$/);
    assert.notEqual(position.svg({ flipped: true }), plain);
    assert.notEqual(position.svg({ dark: true }), position.svg({ dark: false }));
    assert.notEqual(position.svg({ arrows: ["3c3d", { move: "8c8d", kind: "good" }] }), plain);
    assert(!position.svg({ title: "<script>" }).includes("<script>"));
    assert.equal(fault(() => position.svg({ arrows: ["9z"] })).code, "sfen");
    assert.equal(fault(() => position.svg({ theme: "pink" })).code, "argument");
});
