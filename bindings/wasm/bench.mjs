// Compares the speed of the module with the native program's: `node bench.mjs NATIVE [ROUNDS]`, with the package in `pkg`
// (or KOMADAI_PACKAGE) and the example `fixed_nodes` of komadai-engine. Both search the same positions with the same nodes, in
// turn; processor time counts, so that other programs disturb little. README.md has the commands.

import { spawnSync } from "node:child_process";
import { loadavg } from "node:os";
import { load } from "./test/package.mjs";

const [native, rounds = 3] = process.argv.slice(2);
const NODES = 150_000;
const POSITIONS = [
    "startpos",
    "startpos moves 7g7f 3c3d 2g2f 4c4d 3i4h 8b4b",
    "sfen ln1g1g1nl/1ks2r3/1pppp1bpp/p3spp2/9/P1P1SP1PP/1P1PP1P2/1BKGGS1R1/LN5NL b - 41",
    "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "sfen 6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
];

const { default: init, hasSimd } = await load("index.js");
const { NativeEngine } = await load("native.js");

/** Seconds of processor time of the native program. */
function nativeSeconds(nodes) {
    const input = POSITIONS.map((position) => `${nodes}\t${position}\n`).join("");
    const run = spawnSync("bash", ["-c", `TIMEFORMAT=%U; time "${native}" >/dev/null`], { input, encoding: "utf8" });
    return Number(run.stderr.trim());
}

/** Seconds of processor time of this process. */
function ownSeconds(nodes) {
    let seconds = 0;
    for (const position of POSITIONS) {
        const engine = NativeEngine.create(undefined, "{}");
        const start = process.cpuUsage();
        engine.analyse(position, JSON.stringify({ nodes }));
        seconds += process.cpuUsage(start).user / 1e6;
        engine.free();
    }
    return seconds;
}

await init();
// The engine of JavaScript compiles the module's functions again when they have run for a while.
ownSeconds(NODES);
const ratios = [];
for (let round = 0; round < Number(rounds); round++) {
    const [theirs, start] = [nativeSeconds(NODES), nativeSeconds(1)];
    const [own, after] = [ownSeconds(NODES), nativeSeconds(NODES) - nativeSeconds(1)];
    const expected = (theirs - start + after) / 2;
    ratios.push(expected / own);
    const rate = (seconds) => Math.round((NODES * POSITIONS.length) / seconds / 1e3);
    console.log(`native ${rate(expected)} k nodes/s, module ${rate(own)}: ${(expected / own).toFixed(3)}`);
}
ratios.sort((a, b) => a - b);
const load1 = loadavg()[0].toFixed(1);
console.log(`median ${ratios[ratios.length >> 1].toFixed(3)}, SIMD: ${hasSimd()}, load ${load1}, Node ${process.version}`);
