import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "./package.mjs";

const { default: init, GameRecord, KomadaiError, Position } = await load("index.js");
await init();

const KIF = `手合割：平手
先手：甲
後手：乙
   1 ７六歩(77)   ( 0:12/00:00:12)
*よい手
   2 ３四歩(33)   ( 0:03/00:00:03)
   3 投了

変化：2手
   2 ８四歩(83)
   3 ２六歩(27)
`;

test("a record with variations is a tree", () => {
    const record = GameRecord.parse(KIF);
    assert.deepEqual([record.headers.black, record.headers.white], ["甲", "乙"]);
    const [first, second] = record.mainline();
    assert.deepEqual([first, second].map((id) => record.move(id)), ["7g7f", "3c3d"]);
    assert.deepEqual([record.comment(first), record.time(first), record.time(second)], ["よい手", 12, 3]);
    const [main, variation] = record.children(first);
    assert.deepEqual([main, record.move(variation)], [second, "8c8d"]);
    assert.deepEqual(record.path(record.children(variation)[0]), ["7g7f", "8c8d", "2g2f"]);
    assert.deepEqual([record.parent(second), record.parent(record.root), record.move(record.root)], [first, undefined, undefined]);
    assert.deepEqual([record.end(second), record.result], ["resign", "white"]);
    assert.equal(record.position(second).moves().length, 2);
});

test("a tree can be changed", () => {
    const record = new GameRecord();
    const first = record.add(record.root, "7g7f");
    assert.equal(record.add(record.root, "7g7f"), first, "the same move is the same node");
    const reply = record.add(first, "3c3d");
    const other = record.add(first, "8c8d");
    record.promote(other);
    assert.deepEqual(record.mainline(), [first, other]);
    record.setComment(reply, "one\ntwo");
    record.setHeader("black", "Ｂ");
    const { text, lost } = record.text("kif");
    assert.deepEqual(lost, []);
    const again = GameRecord.parse(text);
    assert.equal(again.headers.black, "Ｂ");
    const [, variation] = again.children(again.mainline()[0]);
    assert.deepEqual([again.move(variation), again.comment(variation)], ["3c3d", "one\ntwo"]);
    record.remove(first);
    assert.deepEqual(record.mainline(), []);
    for (const action of [() => record.move(reply), () => record.remove(record.root), () => record.children(-1), () => record.children(1.5)]) {
        assert.throws(action, KomadaiError);
    }
    assert.throws(() => record.add(record.root, "7g7e"), /Pawn/);
});

test("every format is written and read", () => {
    const record = GameRecord.parse(KIF);
    for (const format of ["kif", "ki2", "csa", "jkf", "usen", "usi"]) {
        const { text, lost } = record.text(format);
        const again = GameRecord.parse(text);
        assert.deepEqual(again.mainline().map((id) => again.move(id)), ["7g7f", "3c3d"], format);
        assert.equal(lost.length === 0, ["kif", "jkf"].includes(format), `${format}: ${lost}`);
    }
    assert.throws(() => record.text("pgn"), (error) => error.code === "argument");
});

test("other encodings are read", () => {
    // 先手：甲 / ▲７六歩 in Shift_JIS.
    const bytes = Uint8Array.of(0x90, 0xe6, 0x8e, 0xe8, 0x81, 0x46, 0x8d, 0x62, 0x0a, 0x81, 0xa3, 0x82, 0x56, 0x98, 0x5a, 0x95, 0xe0, 0x0a);
    const record = GameRecord.parse(bytes);
    assert.deepEqual([record.headers.black, record.path(record.mainline()[0])], ["甲", ["7g7f"]]);
});

test("faults have their place", () => {
    const fault = (text, options) => {
        try {
            GameRecord.parse(text, options);
        } catch (error) {
            assert(error instanceof KomadaiError);
            return error;
        }
        return assert.fail(text);
    };
    const error = fault("手合割：平手\n   1 ７六歩(77)\n   2 ７六歩(77)\n");
    assert.equal(error.code, "kifu");
    assert.match(error.message, /line 3/);
    assert.match(fault("Dear Sir").message, /no known format/);
    assert.equal(fault(KIF, { format: "pgn" }).code, "argument");
    assert.throws(() => GameRecord.parse(17), KomadaiError);
});

test("many games and deep trees are read", () => {
    const games = GameRecord.parseAll("startpos moves 7g7f\nstartpos moves 2g2f 8c8d\n");
    assert.deepEqual(games.map((game) => game.mainline().length), [1, 2]);
    const record = new GameRecord(new Position("4k4/9/9/9/9/9/9/9/4K4 b R 1"));
    let last = record.root;
    for (let depth = 0; depth < 2_000; depth++) {
        const [usi, other] = depth % 2 === 0 ? ["5i4i", "5i6i"] : ["5a4a", "5a6a"];
        const back = depth % 4 < 2 ? [usi, other] : depth % 2 === 0 ? ["4i5i", "4i3i"] : ["4a5a", "4a3a"];
        const [next] = back.map((move) => record.add(last, move));
        last = next;
    }
    const again = GameRecord.parse(record.text("kif").text);
    assert.equal(again.mainline().length, 2_000);
    assert.equal(again.children(again.root).length, 2);
});

test("real files have the known moves", () => {
    const data = new URL("../../../crates/komadai-testdata/data/kifu/", import.meta.url);
    const [, ...rows] = readFileSync(new URL("mainline.tsv", data), "utf8").trimEnd().split("\n");
    assert(rows.length > 100);
    for (const row of rows) {
        const [file, moves] = row.split("\t");
        const record = GameRecord.parse(readFileSync(new URL(`samples/${file}`, data)), { lenient: true });
        const found = record.mainline().map((id) => record.move(id));
        assert.equal(found.join(" "), moves, file);
        record.free();
    }
});
