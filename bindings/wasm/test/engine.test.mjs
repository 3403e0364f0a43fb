import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "./package.mjs";

const { default: init, Engine, KomadaiError, Position, checkProblem, problems, solveMate } = await load("index.js");
await init();
await problems.load();

test("an analysis reports its iterations and its result", async () => {
    const engine = await Engine.create({ hash: 8 });
    const search = engine.analyse(new Position(), { nodes: 20_000, multipv: 3 });
    const reports = [];
    for await (const analysis of search) {
        reports.push(analysis);
    }
    assert(reports.length >= 5);
    assert(reports.every(({ depth, lines }) => depth > 0 && lines.length === 3));
    const result = await search.result;
    assert.equal(result.nodes, 20_000);
    assert.equal(result.lines.length, 3);
    assert.equal(result.lines[0].score.kind, "cp");
    assert(new Position().legalMoves().includes(result.best));
    assert(result.hashFull > 0);
    engine.close();
});

test("calls come one after the other", async () => {
    const engine = await Engine.create({ hash: 1 });
    const position = new Position("startpos moves 7g7f");
    const [first, best, mate] = await Promise.all([
        engine.analyse(position, { depth: 3 }).result,
        engine.play({ moves: ["7g7f"] }, { nodes: 1_000 }),
        engine.solveMate(problems.get(0).sfen),
    ]);
    assert.equal(first.depth, 3);
    assert(position.legalMoves().includes(best));
    assert.deepEqual([mate.status, mate.moves.length], ["mate", problems.get(0).plies]);
    await engine.newGame();
    engine.close();
});

test("a mate has its score", async () => {
    const engine = await Engine.create({ hash: 1 });
    const { lines } = await engine.analyse("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", { nodes: 1_000 }).result;
    assert.deepEqual(lines[0].score, { kind: "mate", plies: 1, win: true });
    const loss = await engine.analyse("4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b", { nodes: 1_000 }).result;
    assert.equal(loss.best, "resign");
    engine.close();
});

// The way without shared memory needs a browser; see browser.test.mjs.
test("a search stops within 200 ms", async () => {
    const engine = await Engine.create({ hash: 8 });
    const search = engine.analyse(new Position(), { infinite: true });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const asked = performance.now();
    search.stop();
    const result = await search.result;
    const took = performance.now() - asked;
    assert(took < 200, `${took} ms`);
    assert(new Position().legalMoves().includes(result.best));
    assert((await engine.analyse(new Position(), { nodes: 100 }).result).nodes >= 100, "the engine goes on");
    engine.close();
});

test("a loop that is left stops its search", async () => {
    const engine = await Engine.create({ hash: 1 });
    const search = engine.analyse(new Position(), { infinite: true });
    for await (const { depth } of search) {
        if (depth >= 3) {
            break;
        }
    }
    assert((await search.result).depth >= 3);
    engine.close();
});

test("a limit of time is kept", async () => {
    const engine = await Engine.create({ hash: 8 });
    await engine.analyse(new Position(), { nodes: 10 }).result;
    const start = performance.now();
    const { time } = await engine.analyse(new Position(), { time: 300 }).result;
    const took = performance.now() - start;
    assert(time >= 250 && time <= 400, `${time} ms by the engine`);
    assert(took < 700, `${took} ms`);
    engine.close();
});

test("levels play legal moves", async () => {
    const engine = await Engine.create({ hash: 1 });
    for (const level of [1, 5]) {
        assert(new Position().legalMoves().includes(await engine.play(new Position(), { level })), `level ${level}`);
    }
    // The search of full strength comes back.
    assert.equal((await engine.analyse(new Position(), { nodes: 1_000 }).result).nodes, 1_000);
    engine.close();
});

test("another network is taken as bytes or by its address", async () => {
    // The file of the bundled one, so that the values are known.
    const address = new URL("../../../crates/komadai-weights/src/network.nnue", import.meta.url);
    const results = [];
    for (const network of [undefined, readFileSync(address), address]) {
        const engine = await Engine.create({ hash: 1, network });
        const { best, lines } = await engine.analyse(new Position(), { nodes: 2_000 }).result;
        results.push({ best, lines });
        engine.close();
    }
    assert.deepEqual(results[1], results[0]);
    assert.deepEqual(results[2], results[0]);
});

test("what an engine cannot do is an error", async () => {
    const code = (code) => (error) => error instanceof KomadaiError && error.code === code;
    await assert.rejects(Engine.create({ network: new Uint8Array(100) }), code("network"));
    await assert.rejects(Engine.create({ options: { NoSuchOption: 1 } }), code("engine"));
    await assert.rejects(Engine.create({ hash: 0 }), code("engine"));
    await assert.rejects(Engine.create({ options: { SearchMode: "Both" } }), code("engine"));
    const engine = await Engine.create({ hash: 1 });
    await assert.rejects(engine.analyse("nonsense", { nodes: 1 }).result, code("sfen"));
    await assert.rejects(engine.analyse(new Position(), {}).result, code("argument"));
    await assert.rejects(engine.analyse(new Position(), { nodes: -1 }).result, code("argument"));
    await assert.rejects(engine.analyse(new Position(), { nodes: 1, multipv: 0 }).result, code("argument"));
    await assert.rejects(engine.play(new Position(), { level: 11 }), code("engine"));
    await assert.rejects(engine.setOption("EvalFile", "nn.bin"), code("engine"));
    // More threads than there are: one searches.
    await engine.setOption("Threads", 4);
    await engine.setOption("MultiPV", 2);
    assert.equal((await engine.analyse(new Position(), { nodes: 500 }).result).lines.length, 1);
    engine.close();
    await assert.rejects(engine.analyse(new Position(), { nodes: 1 }).result, code("closed"));
});

test("mates are solved and problems examined", () => {
    const problem = problems.get(3_000);
    const solved = solveMate(problem.sfen, { goal: "shortest" });
    assert.deepEqual([solved.status, solved.moves.length, solved.shortest], ["mate", problem.plies, true]);
    assert.equal(solveMate(new Position(), { nodes: 1_000 }).status, "nomate");
    assert.equal(solveMate(problems.get(9_999).sfen, { nodes: 1 }).status, "unknown");
    const report = checkProblem(new Position(problem.sfen));
    assert.deepEqual([report.sound, report.complete, report.moves.length], [true, true, problem.plies]);
    assert.equal(problems.count, 10_000);
    assert.equal(problems.ofPlies(3).every((index) => problems.get(index).plies === 3), true);
});

/** Positions of a game, of its end, in check, with a mate, with many moves. */
const POSITIONS = [
    "startpos",
    "startpos moves 7g7f",
    "startpos moves 7g7f 3c3d 2g2f 4c4d 3i4h 8b4b",
    "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e",
    "sfen ln1g1g1nl/1ks2r3/1pppp1bpp/p3spp2/9/P1P1SP1PP/1P1PP1P2/1BKGGS1R1/LN5NL b - 41",
    "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "sfen 6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "sfen 8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
    "sfen R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "sfen 9/9/9/9/9/9/4k4/9/4K4 b 2R2B4G4S4N4L18P 1",
];
const NODES = 20_000;

const native = process.env.KOMADAI_NATIVE;
test("fixed nodes have the native result", { skip: !native && "KOMADAI_NATIVE names no native program" }, async () => {
    const input = POSITIONS.map((position) => `${NODES}\t${position}\n`).join("");
    const run = spawnSync(native, { input, encoding: "utf8" });
    assert.equal(run.status, 0, run.stderr);
    const expected = run.stdout.trim().split("\n").map((line) => line.trim());
    assert.equal(expected.length, POSITIONS.length);
    for (const [index, position] of POSITIONS.entries()) {
        const engine = await Engine.create();
        const { best, nodes, depth, lines } = await engine.analyse(position, { nodes: NODES }).result;
        engine.close();
        const [line] = lines;
        const score = line && (line.score.kind === "cp" ? `cp ${line.score.value}` : `mate ${line.score.win ? "" : "-"}${line.score.plies}`);
        const found = `${best} ${nodes} ${depth} ${score ?? ""} ${line?.moves.join(" ") ?? ""}`.trim();
        assert.equal(found, expected[index], position);
    }
});

test("both builds give the same values", async () => {
    const { Worker } = await import("node:worker_threads");
    const { folder } = await import("./package.mjs");
    const code = `
        const { parentPort } = require("node:worker_threads");
        const { pathToFileURL } = require("node:url");
        const at = (name) => pathToFileURL(${JSON.stringify(folder)} + "/" + name).href;
        (async () => {
            const { default: init, Engine } = await import(at("index.js"));
            await init({ wasm: at("komadai.wasm") });
            const engine = await Engine.create();
            const results = [];
            for (const position of ${JSON.stringify(POSITIONS.slice(0, 5))}) {
                await engine.newGame();
                results.push(await engine.analyse(position, { nodes: 5000 }).result);
            }
            engine.close();
            parentPort.postMessage(results);
        })();`;
    const plain = await new Promise((resolve, reject) => {
        const worker = new Worker(code, { eval: true });
        worker.once("message", resolve);
        worker.once("error", reject);
    });
    const engine = await Engine.create();
    for (const [index, position] of POSITIONS.slice(0, 5).entries()) {
        await engine.newGame();
        const own = await engine.analyse(position, { nodes: 5_000 }).result;
        const key = ({ best, nodes, depth, lines }) => ({ best, nodes, depth, lines });
        assert.deepEqual(key(own), key(plain[index]), position);
    }
    engine.close();
});
