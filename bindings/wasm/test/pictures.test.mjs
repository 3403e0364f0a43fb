// Pictures, marks of losses, and the questions of an editor.

import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./package.mjs";

const { default: init, Position, checkSfen, evaluationGraph, handicaps, markLosses, svg, version } = await load("index.js");
await init();

const cp = (ply, value) => ({ ply, score: { kind: "cp", value } });

test("positions that break rules are drawn and explained", () => {
    const empty = "9/9/9/9/9/9/9/9/9 b - 1";
    assert.match(svg(empty), /^<svg[^]*<\/svg>\s*$/);
    assert.equal(checkSfen(empty).code, "no-king");
    assert.equal(checkSfen("4k4/9/9/9/9/9/4P4/4P4/4K4 b - 1").code, "nifu");
    assert.equal(checkSfen("4k4/9/9/9/9/9/9/9/3KK4 b - 1").code, "two-kings");
    assert.match(checkSfen("no position").text, /found/);
    assert.equal(checkSfen("no position").code, "sfen");
    assert.equal(checkSfen(new Position().sfen), undefined);
    assert.throws(() => svg("no position"), { code: "sfen" });
    assert.throws(() => svg(empty, { stands: "everywhere" }), { code: "argument" });
});

test("stands in rows make the picture narrower", () => {
    const width = (stands) => +new Position().svg({ stands }).match(/width="(\d+)"/)[1];
    assert.ok(width("rows") < width("sides"));
});

test("broken rules have names", () => {
    const nifu = new Position("4k4/9/9/9/9/9/4P4/9/4K4 b P 1");
    assert.equal(nifu.brokenRule("P*5e").code, "nifu");
    assert.equal(nifu.brokenRule("P*5e").text, nifu.whyIllegal("P*5e"));
    assert.equal(nifu.brokenRule("P*4e"), undefined);
});

test("moves that lose are marked, and the graph shows it", () => {
    const points = [cp(0, 0), cp(1, -900), cp(2, -880), { ply: 3, score: { kind: "mate", plies: 4, win: false } }];
    assert.deepEqual(markLosses(points, "black"), ["", "??", "", "?"]);
    assert.deepEqual(markLosses(points, "white")[1], "");
    const marked = points.map((point, ply) => (ply === 1 ? { ...point, mark: "??", label: "<b>" } : point));
    const graph = evaluationGraph(marked, { language: "ja", cursor: 1, size: [400, 200] });
    assert.match(graph, /width="400" height="200"/);
    assert.match(graph, /kg-dot/);
    assert.ok(!graph.includes("<b>"));
    assert.throws(() => evaluationGraph([{ ply: 0, mark: "!" }]), { code: "argument" });
    assert.throws(() => evaluationGraph([{}]), { code: "argument" });
});

test("handicaps are starts of games", () => {
    assert.equal(handicaps().length, 16);
    assert.equal(handicaps()[0].sfen, new Position().sfen);
    for (const { sfen } of handicaps()) assert.equal(checkSfen(sfen), undefined);
    assert.ok(handicaps().some(({ id, name }) => id === "two-piece" && name === "二枚落ち"));
});

test("the version is that of the manifest", async () => {
    assert.match(version(), /^\d+\.\d+\.\d+$/);
});
