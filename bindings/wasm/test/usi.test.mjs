import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, load } from "./package.mjs";

const { default: createEngine, UsiEngine } = await load("usi.js");

/** An engine with the lines that it has said, and a way to wait for one. */
async function dialogue() {
    const engine = await createEngine({ printErr: (line) => assert.fail(line) });
    const lines = [];
    let wake = () => {};
    engine.addMessageListener((line) => {
        lines.push(line);
        wake();
    });
    const said = async (pattern, from = 0) => {
        for (;;) {
            const at = lines.findIndex((line, index) => index >= from && pattern.test(line));
            if (at >= 0) {
                return at;
            }
            await new Promise((resolve) => (wake = resolve));
        }
    };
    const send = (...commands) => commands.forEach((command) => engine.postMessage(command));
    return { engine, lines, said, send };
}

test("a game is played", { timeout: 60_000 }, async () => {
    const { engine, lines, said, send } = await dialogue();
    assert(engine instanceof UsiEngine);
    send("usi", "setoption name USI_Hash value 4", "isready");
    await said(/^readyok$/);
    assert(lines.includes("usiok"));
    send("usinewgame", "position startpos moves 7g7f", "go nodes 5000");
    const best = await said(/^bestmove \S+/);
    assert(lines.slice(0, best).some((line) => /^info depth .* score .* pv /.test(line)));
    const start = performance.now();
    send("position startpos", "go byoyomi 500");
    await said(/^bestmove /, best + 1);
    const took = performance.now() - start;
    assert(took > 100 && took < 1_500, `${took} ms`);
    send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go mate 5000");
    await said(/^checkmate G\*5b$/);
    engine.terminate();
});

test("stop and ponderhit reach a search", { timeout: 60_000 }, async () => {
    const { engine, lines, said, send } = await dialogue();
    send("setoption name USI_Hash value 4", "isready", "position startpos", "go infinite");
    await said(/^info depth /);
    const asked = performance.now();
    send("stop");
    const first = await said(/^bestmove /);
    const took = performance.now() - asked;
    assert(took < 200, `${took} ms`);

    send("position startpos moves 7g7f 3c3d", "go ponder byoyomi 300");
    await said(/^info depth /, first);
    send("ponderhit");
    const second = await said(/^bestmove /, first + 1);

    // A new search ends the one before; each has one answer.
    send("go infinite", "position startpos moves 2g2f", "go nodes 1000");
    const third = await said(/^bestmove /, second + 1);
    const fourth = await said(/^bestmove /, third + 1);
    // An answer that is known early is held until it is asked for.
    send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go infinite");
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(lines.slice(fourth + 1).some((line) => line.startsWith("bestmove")), false);
    send("stop");
    assert.equal(lines[await said(/^bestmove /, fourth + 1)], "bestmove G*5b");
    engine.terminate();
});

test("there is no word after quit", { timeout: 60_000 }, async () => {
    const { lines, said, send } = await dialogue();
    send("isready", "position startpos", "go infinite");
    await said(/^info depth /);
    send("quit");
    const count = lines.length;
    send("usi");
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(lines.length, count);
});

test("broken lines are answered", { timeout: 60_000 }, async () => {
    const { engine, lines, said, send } = await dialogue();
    send("go nodes x", "position nonsense", "go nodes 10", "setoption name USI_Hash value many", "\u0000", "x".repeat(2 << 20));
    send("setoption name EvalFile value nn.bin", "isready", "setoption name EvalFile value <internal>", "isready");
    await said(/^readyok$/);
    assert(lines.some((line) => /Error! .*nn\.bin/.test(line)), lines.join("\n"));
    engine.terminate();
});

test("the manifest is that of the engine", async () => {
    const manifest = JSON.parse(readFileSync(join(folder, "engine.json"), "utf8"));
    const { engine, lines, said, send } = await dialogue();
    send("usi");
    await said(/^usiok$/);
    engine.terminate();
    assert.equal(manifest.abi, "shogihome-wasm-engine/1");
    assert(lines.includes(`id name ${manifest.name}`) && lines.includes(`id author ${manifest.author}`));
    const options = lines.filter((line) => line.startsWith("option name "));
    assert.deepEqual(
        manifest.options.map(({ name, type }) => `option name ${name} type ${type}`),
        options.map((line) => line.split(" ").slice(0, 5).join(" ")),
    );
    const hash = manifest.options.find(({ name }) => name === "USI_Hash");
    assert.deepEqual([hash.default, hash.min, hash.max], [32, 1, 1_024]);
    for (const { values } of manifest.presets) {
        Object.keys(values).forEach((name) => assert(manifest.options.some((option) => option.name === name), name));
    }
    assert.equal(manifest.version ?? JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version, manifest.name.split(" ")[1]);
});
