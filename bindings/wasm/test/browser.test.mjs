// The package in headless Chromium, in a page that shares memory with workers and in one that does not.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { test } from "node:test";
import { folder } from "./package.mjs";

const chromium = ["chromium", "chromium-browser", "google-chrome"].find(
    (name) => spawnSync(name, ["--version"]).status === 0,
);
const skip = !chromium && "there is no Chromium";

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };

/** Runs a script in a page and returns what it returns. */
async function inPage(script, headers = {}) {
    let finish;
    const result = new Promise((resolve) => (finish = resolve));
    const page = `<!doctype html><meta charset="utf-8"><script type="module">
        const run = async () => { ${script} };
        const answer = await run().catch((error) => ({ error: String(error.stack) }));
        await fetch("/answer", { method: "POST", body: JSON.stringify(answer) });
    </script>`;
    const server = createServer((request, response) => {
        if (request.method === "POST") {
            let body = "";
            request.on("data", (part) => (body += part));
            request.on("end", () => {
                response.end();
                finish(JSON.parse(body));
            });
            return;
        }
        const name = normalize(request.url).slice(1);
        try {
            const body = name === "" ? page : readFileSync(join(folder, name));
            response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "text/html", ...headers });
            response.end(body);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const profile = mkdtempSync(join(tmpdir(), "komadai-"));
    const url = `http://127.0.0.1:${server.address().port}/`;
    const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`];
    const browser = spawn(chromium, [...flags, url], { stdio: "ignore" });
    const ended = new Promise((resolve) => browser.once("exit", resolve));
    try {
        return await result;
    } finally {
        browser.kill();
        await ended;
        server.closeAllConnections();
        server.close();
        // The browser's helpers outlive it a little and still write. Not `rmSync`, because its retries do not list a folder anew.
        await rm(profile, { recursive: true, force: true, maxRetries: 10 });
    }
}

const ENGINE = `
    const { default: init, Engine, Position } = await import("/index.js");
    await init();
    const engine = await Engine.create({ hash: 8 });
    const fixed = await engine.analyse(new Position(), { nodes: 3000 }).result;
    const search = engine.analyse(new Position(), { infinite: true });
    let ended = false;
    search.result.then(() => (ended = true));
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (ended) throw new Error("the search ended by itself");
    const asked = performance.now();
    search.stop();
    const { best } = await search.result;
    const took = performance.now() - asked;
    const again = await engine.analyse(new Position(), { nodes: 500 }).result;
    return { isolated: crossOriginIsolated, fixed: [fixed.best, fixed.nodes, fixed.lines[0].score], best, took, nodes: again.nodes };
`;

const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
const NO_BLOBS = {
    "content-security-policy":
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self'",
};

for (const [name, headers] of [["blob URLs", {}], ["shared memory", ISOLATED]]) {
    test(`a page stops a search by ${name}`, { skip, timeout: 120_000 }, async () => {
        const { error, isolated, fixed, best, took, nodes } = await inPage(ENGINE, headers);
        assert.equal(error, undefined);
        assert.equal(isolated, headers === ISOLATED);
        assert(took < 200, `${took} ms`);
        assert.match(best, /^\d[a-i]\d[a-i]/);
        assert.equal(nodes, 500);
        assert.deepEqual(fixed, await inNode(), "the browser has the values of Node");
    });
}

/** Returns what Node makes of the first search of `ENGINE`. */
async function inNode() {
    const { default: init, Engine, Position } = await import(join(folder, "index.js"));
    await init();
    const engine = await Engine.create({ hash: 8 });
    const own = await engine.analyse(new Position(), { nodes: 3_000 }).result;
    engine.close();
    return [own.best, own.nodes, own.lines[0].score];
}

test("a page whose policy forbids blobs starts its engine anew", { skip, timeout: 120_000 }, async () => {
    const { error, fixed, best, nodes } = await inPage(ENGINE, NO_BLOBS);
    assert.equal(error, undefined);
    assert.match(best, /^\d[a-i]\d[a-i]/);
    assert.equal(nodes, 500);
    assert.deepEqual(fixed, await inNode(), "the search goes on to its limit");
});

test("the USI engine of such a page searches to its limits", { skip, timeout: 120_000 }, async () => {
    const answer = await inPage(`
        const { default: createEngine } = await import("/usi.js");
        const engine = await createEngine();
        const said = (start) => new Promise((resolve) =>
            engine.addMessageListener((line) => line.startsWith(start) && resolve(line)));
        const ready = said("readyok");
        engine.postMessage("isready");
        await ready;
        const best = said("bestmove");
        const asked = performance.now();
        engine.postMessage("position startpos");
        engine.postMessage("go movetime 500");
        return { best: await best, took: performance.now() - asked };
    `, NO_BLOBS);
    assert.equal(answer.error, undefined);
    assert.match(answer.best, /^bestmove \d/);
    assert(answer.took > 250, `${answer.took} ms`);
});

test("the USI engine runs in a worker of the page", { skip, timeout: 120_000 }, async () => {
    const answer = await inPage(`
        const code = \`
            import createEngine from "\${location.origin}/usi.js";
            const engine = await createEngine({ locateFile: (name) => "\${location.origin}/" + name });
            const said = (start) => new Promise((resolve) => {
                const listener = (line) => {
                    if (line.startsWith(start)) {
                        engine.removeMessageListener(listener);
                        resolve(line);
                    }
                };
                engine.addMessageListener(listener);
            });
            const send = (start, ...lines) => {
                const found = said(start);
                lines.forEach((line) => engine.postMessage(line));
                return found;
            };
            await send("readyok", "setoption name USI_Hash value 4", "isready");
            await send("info depth ", "position startpos", "go infinite");
            const asked = performance.now();
            const best = await send("bestmove", "stop");
            const took = performance.now() - asked;
            await send("info depth ", "position startpos moves 7g7f 3c3d", "go ponder byoyomi 200");
            const second = await send("bestmove", "ponderhit");
            postMessage({ best, took, second });
        \`;
        const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
        return new Promise((resolve, reject) => {
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = (event) => reject(new Error(event.message));
        });
    `);
    assert.equal(answer.error, undefined);
    assert.match(answer.best, /^bestmove \d/);
    assert.match(answer.second, /^bestmove \d/);
    assert(answer.took < 200, `${answer.took} ms`);
});
