// The package beside other libraries: their answers to the same questions. They are installed for the tests only.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { load } from "./package.mjs";

const modules = process.env.KOMADAI_NODE_MODULES ?? "";
const entry = { shogiops: "dist/index.js", tsshogi: "dist/esm/index.mjs" };
const path = (name, file = entry[name]) => join(modules, name, file);
const skip = (name) => !existsSync(path(name)) && `${name} is not installed`;
const module = (name, file) => import(pathToFileURL(path(name, file)));

const { default: init, GameRecord, Position } = await load("index.js");
await init();

/** Numbers from 0 up to a limit; the same in every run (xorshift32). */
let state = 0x1234_5678;
function below(limit) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
}

/** A game of random moves. */
function randomGame(length) {
    const position = new Position();
    while (position.ply <= length) {
        const moves = position.legalMoves();
        if (moves.length === 0) {
            break;
        }
        position.push(moves[below(moves.length)]);
    }
    return position;
}

/** The legal moves of shogiops in USI notation. */
async function legalMoves(sfen) {
    const { makeSquareName, makeUsi } = await module("shogiops", "dist/util.js");
    const { parseSfen } = await module("shogiops", "dist/sfen.js");
    const { pieceCanPromote, pieceForcePromote } = await module("shogiops", "dist/variant/util.js");
    const position = parseSfen("standard", sfen, false).unwrap();
    const found = [];
    for (const [from, squares] of position.allMoveDests()) {
        const piece = position.board.get(from);
        for (const to of squares) {
            const usi = makeSquareName(from) + makeSquareName(to);
            if (!pieceForcePromote("standard")(piece, to)) {
                found.push(usi);
            }
            if (pieceCanPromote("standard")(piece, from, to, position.board.get(to))) {
                found.push(`${usi}+`);
            }
        }
    }
    for (const [name, squares] of position.allDropDests()) {
        const [color, role] = name.split(" ");
        for (const to of squares) {
            if (color === position.turn) {
                found.push(makeUsi({ role, to }));
            }
        }
    }
    return found.sort();
}

test("legal moves are those of shogiops", { skip: skip("shogiops"), timeout: 120_000 }, async () => {
    let compared = 0;
    for (let game = 0; game < 5; game++) {
        const position = randomGame(200);
        do {
            assert.deepEqual(position.legalMoves().sort(), await legalMoves(position.sfen), position.sfen);
            compared++;
        } while (position.pop() !== undefined);
        position.free();
    }
    assert(compared > 300, `${compared} positions`);
});

test("records are read as tsshogi reads them", { skip: skip("tsshogi"), timeout: 120_000 }, async () => {
    const { exportCSA, exportJKFString, exportKI2, exportKIF, importCSA, importJKFString, importKI2, importKIF } =
        await module("tsshogi");
    const readers = { kif: importKIF, ki2: importKI2, csa: importCSA, jkf: importJKFString };
    const writers = { kif: exportKIF, ki2: exportKI2, csa: exportCSA, jkf: exportJKFString };
    for (let game = 0; game < 10; game++) {
        const played = randomGame(120);
        const record = new GameRecord(played);
        for (const format of Object.keys(readers)) {
            // Ours, read by theirs; then theirs, read by ours.
            const { text } = record.text(format);
            const read = readers[format](text);
            assert(!(read instanceof Error), `${format}: ${read.message}`);
            const moves = read.moves.filter(({ move }) => "usi" in move).map(({ move }) => move.usi);
            assert.deepEqual(moves, played.moves(), format);
            const again = GameRecord.parse(writers[format](read));
            assert.deepEqual(again.path(again.mainline().at(-1)), played.moves(), format);
            again.free();
        }
        record.free();
        played.free();
    }
});
