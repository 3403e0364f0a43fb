// The engine behind the text protocol USI, with the interface of wasm engines of GUIs (shogihome-wasm-engine/1).

import { bytesOf } from "./engine.js";
import init, { compiled, wasmName } from "./load.js";
import { createSignal } from "./signal.js";
import { startThread } from "./thread.js";

/** Commands that end the search in progress; they are executed after it. */
const STOPPING = new Set(["stop", "quit", "position", "go", "isready", "usinewgame", "gameover"]);

/** A USI engine in a worker: lines in, lines out. */
export class UsiEngine {
    #thread;
    #listeners = new Set();
    /** The signals of the `go` commands that have not been executed to the end, by their ids. */
    #searches = new Map();
    #lastId = 0;
    #settle;
    #printErr;

    static async create({ wasm, network, printErr = () => {} } = {}) {
        await init({ wasm });
        const engine = new UsiEngine();
        engine.#printErr = printErr;
        engine.#thread = await startThread(
            (message) => engine.#receive(message),
            (reason) => engine.#fail(new Error(reason)),
        );
        const signal = createSignal();
        try {
            const args = { module: compiled, network: await bytesOf(network), signal: signal.message };
            await new Promise((resolve, reject) => {
                engine.#settle = { resolve, reject };
                engine.#thread.post({ id: 0, call: "createUsi", args });
            });
        } finally {
            signal.dispose();
        }
        return engine;
    }

    postMessage(command) {
        if (!this.#thread) {
            return;
        }
        const line = String(command).trim();
        const word = line.split(/\s/, 1)[0];
        if (word === "quit") {
            this.terminate();
            return;
        }
        const searches = [...this.#searches.values()];
        if (STOPPING.has(word)) {
            searches.forEach((signal) => signal.stop());
        } else if (word === "ponderhit") {
            searches.forEach((signal) => signal.ponderHit());
        }
        const id = ++this.#lastId;
        // An idle session holds the answer of `go infinite`, so that other lines are executed without a signal.
        const signal = word === "go" ? createSignal({ ponders: true }) : undefined;
        if (signal) {
            this.#searches.set(id, signal);
        }
        this.#thread.post({ id, call: "line", args: { line }, signal: signal?.message });
    }

    addMessageListener(listener) {
        this.#listeners.add(listener);
    }

    removeMessageListener(listener) {
        this.#listeners.delete(listener);
    }

    terminate() {
        this.#listeners.clear();
        this.#searches.forEach((signal) => signal.dispose());
        this.#searches.clear();
        this.#thread?.end();
        this.#thread = undefined;
    }

    #receive({ id, report, error }) {
        if (report !== undefined) {
            this.#listeners.forEach((listener) => listener(report));
            return;
        }
        this.#searches.get(id)?.dispose();
        this.#searches.delete(id);
        if (error) {
            this.#fail(new Error(error.message));
        } else if (id === 0) {
            this.#settle.resolve();
        }
    }

    #fail(error) {
        this.#settle?.reject(error);
        this.#printErr(error.message);
        this.terminate();
    }
}

/** Makes an engine as GUIs do: with the functions that Emscripten's modules take. */
export default function createEngine({ printErr, locateFile } = {}) {
    const wasm = locateFile && new URL(locateFile(wasmName()), import.meta.url);
    return UsiEngine.create({ wasm, printErr });
}
