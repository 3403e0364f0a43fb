// The engine's thread: it takes one call after the other.

import { KomadaiError } from "./errors.js";
import { during, probe } from "./host.js";
import init from "./load.js";
import { NativeEngine, NativeUsi, panicText } from "./native.js";

const isNode = typeof process === "object" && process.versions?.node !== undefined;
const port = isNode ? (await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:worker_threads")).parentPort : self;

/** The engine of an `Engine`, or else that of a `UsiEngine`. */
let engine;
let usi;

const calls = {
    async create({ module, network, options, signal }) {
        await init({ wasm: module });
        engine = NativeEngine.create(network, JSON.stringify(options));
        return { canPoll: probe(signal) };
    },
    async createUsi({ module, network, signal }) {
        await init({ wasm: module });
        probe(signal);
        usi = NativeUsi.create(network);
    },
    line: ({ line }) => usi.line(line),
    setOption: ({ name, value }) => engine.setOption(name, value),
    newGame: () => engine.newGame(),
    analyse: ({ position, limits }) => JSON.parse(engine.analyse(position, limits)),
    play: ({ position, limits }) => JSON.parse(engine.play(position, limits)),
    solveMate: ({ position, limits, goal }) => JSON.parse(engine.solveMate(position, limits, goal)),
    checkProblem: ({ position, nodes }) => JSON.parse(engine.checkProblem(position, nodes)),
};

// A call may wait for the module, and the next one waits for it.
let last = Promise.resolve();
const receive = (message) => {
    last = last.then(() => answer(message));
};

async function answer({ id, call, args, signal }) {
    try {
        const report = (text) => port.postMessage({ id, report: text });
        const result = await during(signal, report, () => calls[call](args));
        port.postMessage({ id, result });
    } catch (error) {
        port.postMessage({ id, error: described(error) });
    }
}

function described(error) {
    if (error instanceof KomadaiError) {
        return { code: error.code, message: error.message };
    }
    return { code: "crash", message: panicText() || String(error) };
}

if (isNode) {
    port.on("message", receive);
} else {
    port.onmessage = ({ data }) => receive(data);
}
