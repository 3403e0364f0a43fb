// A trap of the module would end it for good, so none may be reachable.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./package.mjs";

const { default: init, GameRecord, KomadaiError, Position, checkProblem, problems, solveMate } = await load("index.js");
const { memoryBytes } = await load("load.js");
await init();
await problems.load();

/** Numbers from 0 up to a limit; the same in every run (xorshift32). */
let state = 0x9e37_79b9;
function below(limit) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
}
const oneOf = (values) => values[below(values.length)];

const SEEDS = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e",
    "手合割：平手\n先手：甲\n   1 ７六歩(77)   ( 0:12/00:00:12)\n*注\n   2 ３四歩(33)\n   3 投了\n変化：2手\n   2 ８四歩(83)\n",
    "先手：甲\n▲７六歩 △３四歩\n▲２二角成\nまで3手で先手の勝ち\n",
    "V2.2\nN+A\nPI\n+\n+7776FU\nT12\n-3334FU\n%TORYO\n",
    '{"header":{"先手":"甲"},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"color":0,"piece":"FU"}},{"special":"TORYO"}]}',
    "~0.7ku2jm6y236e5t24be9qc.",
    "7g7f", "P*5e", "二枚落ち",
];
const CHARACTERS = [..." \n\t/+*-0123456789abcdefghiKRBGSNLPkrbgsnlp~.:{}[]\",先手後７六歩▲△同投了変化\u0000\u{1f600}\ud800"];

/** A seed with random changes, or random characters. */
function text() {
    if (below(4) === 0) {
        return Array.from({ length: below(60) }, () => oneOf(CHARACTERS)).join("");
    }
    const characters = [...oneOf(SEEDS)];
    for (let change = below(6); change >= 0; change--) {
        const at = below(characters.length + 1);
        characters.splice(at, below(3), ...Array.from({ length: below(3) }, () => oneOf(CHARACTERS)));
    }
    return characters.join("");
}

/** Calls an action, which may refuse its input only by an exception of the package. */
function harmless(action) {
    try {
        return action();
    } catch (error) {
        assert(error instanceof KomadaiError, `${error.stack}`);
        assert(error.message.length > 0);
        return undefined;
    }
}

test("10,000 random texts are read or refused", { timeout: 120_000 }, () => {
    const position = new Position();
    let read = 0;
    for (let round = 0; round < 10_000; round++) {
        const input = text();
        const found = harmless(() => Position.parse(input));
        if (found) {
            read++;
            harmless(() => found.svg({ arrows: [input] }));
            found.legalMoves();
            found.outcome();
            found.free();
        }
        harmless(() => position.push(input));
        harmless(() => position.whyIllegal(input));
        harmless(() => position.movesFrom(input));
        harmless(() => position.pieceAt(input));
        harmless(() => position.name("7g7f", input));
        const record = harmless(() => GameRecord.parse(input, { lenient: round % 2 === 0 }));
        if (record) {
            for (const format of ["kif", "ki2", "csa", "jkf", "usen", "usi"]) {
                harmless(() => record.text(format));
            }
            harmless(() => record.position(record.mainline().at(-1) ?? 0).free());
            record.free();
        }
        if (round % 100 === 0) {
            harmless(() => GameRecord.parse(new TextEncoder().encode(input).map((byte) => byte ^ oneOf([0, 0x80]))));
            harmless(() => Position.fromPieces({ board: { [input]: "K", "5i": input }, hands: { black: { P: round } } }));
        }
    }
    assert(read > 300, `${read} positions were read`);
    assert.equal(new Position().perft(2), 900, "the module still works");
});

test("numbers out of range are refused", () => {
    const position = new Position();
    for (const nodes of [-1, 1.5, NaN, Infinity, 2 ** 60, "many"]) {
        harmless(() => solveMate(position, { nodes }));
        harmless(() => checkProblem(position, { nodes }));
    }
    for (const index of [-1, 1.5, NaN, 10_000, 2 ** 40, "x"]) {
        assert.equal(problems.get(index), undefined, String(index));
    }
    assert.deepEqual(problems.ofPlies(2), []);
    assert.throws(() => solveMate(position, { goal: "soon" }), KomadaiError);
    assert.throws(() => checkProblem("nonsense"), KomadaiError);
});

test("huge inputs are refused or read in bounded memory", () => {
    harmless(() => Position.parse("x".repeat(1 << 21)));
    harmless(() => GameRecord.parse("\n".repeat(1 << 22)));
    harmless(() => GameRecord.parse(`startpos moves${" 7g7f".repeat(100_000)}`));
    harmless(() => GameRecord.parse(`${"{".repeat(200_000)}`));
    harmless(() => GameRecord.parse(`{"moves":${"[".repeat(200_000)}`));
});

test("long loops free their memory", async () => {
    const round = () => {
        for (let count = 0; count < 5_000; count++) {
            const position = new Position();
            position.push("7g7f");
            position.svg();
            const record = new GameRecord(position);
            record.text("kif");
            record.free();
            position.free();
        }
    };
    round();
    const before = memoryBytes();
    round();
    round();
    assert.equal(memoryBytes(), before);
});

test("objects that are dropped are freed", { skip: typeof globalThis.gc !== "function" && "needs --expose-gc" }, async () => {
    const round = async () => {
        for (let count = 0; count < 2_000; count++) {
            new Position().push("7g7f");
        }
        globalThis.gc();
        await new Promise((resolve) => setTimeout(resolve, 20));
    };
    for (let count = 0; count < 3; count++) {
        await round();
    }
    const before = memoryBytes();
    for (let count = 0; count < 10; count++) {
        await round();
    }
    assert(memoryBytes() <= before + (1 << 20), `${before} → ${memoryBytes()}`);
});
