import { KomadaiError } from "./errors.js";
import init, { bytesAt, compiled } from "./load.js";
import { Position } from "./position.js";
import { Search } from "./search.js";
import { createSignal } from "./signal.js";
import { startThread } from "./thread.js";

/** An engine in a worker. It makes one search after the other. */
export class Engine {
    #thread;
    /** What `create` was called with, for a worker that has to be started anew. */
    #setup;
    /** The calls that have not been answered, in order: the first is in progress. */
    #calls = new Map();
    #lastId = 0;
    /** False if the worker cannot look for requests to stop. */
    #canPoll = true;
    /** Messages for a worker that is being started anew. */
    #waiting = [];
    /** The calls that were stopped since the last one of these workers was started. */
    #stopped = new Set();
    #fault;

    static async create({ hash, network, options = {} } = {}) {
        await init();
        const engine = new Engine();
        const entries = Object.entries(options).map(([name, value]) => [name, String(value)]);
        if (hash !== undefined) {
            entries.push(["USI_Hash", String(hash)]);
        }
        engine.#setup = { module: compiled, network: await bytesOf(network), options: Object.fromEntries(entries) };
        await engine.#start();
        return engine;
    }

    async #start() {
        const thread = await startThread(
            (message) => this.#receive(message),
            (reason) => this.#crash(new KomadaiError("crash", reason)),
        );
        if (this.#fault) {
            thread.end();
            return;
        }
        this.#thread = thread;
        const signal = createSignal();
        try {
            const args = { ...this.#setup, signal: signal.message };
            this.#canPoll = (await this.#call("create", args).result).canPoll;
        } catch (error) {
            this.close();
            throw error;
        } finally {
            signal.dispose();
        }
    }

    analyse(position, { nodes, depth, time, multipv = 1, infinite = false } = {}) {
        const limits = JSON.stringify({ nodes, depth, time, infinite, multipv, level: 0 });
        return this.#call("analyse", { position: usiOf(position), limits });
    }

    async play(position, { level = 0, nodes, depth, time } = {}) {
        const isLimited = [nodes, depth, time].some((limit) => limit !== undefined);
        const limits = { nodes, depth, time: isLimited || level > 0 ? time : DEFAULT_TIME, level, multipv: 1 };
        const args = { position: usiOf(position), limits: JSON.stringify(limits) };
        return (await this.#call("play", args).result).best;
    }

    async solveMate(position, { nodes, time, goal = "any" } = {}) {
        const limits = nodes === undefined && time === undefined ? { nodes: 1_000_000 } : { nodes, time };
        const args = { position: usiOf(position), limits: JSON.stringify(limits), goal: String(goal) };
        return this.#call("solveMate", args).result;
    }

    async checkProblem(position, { nodes = 5_000_000 } = {}) {
        return this.#call("checkProblem", { position: usiOf(position), nodes: Number(nodes) }).result;
    }

    async setOption(name, value) {
        await this.#call("setOption", { name: String(name), value: String(value) }).result;
        this.#setup.options[name] = String(value);
    }

    async newGame() {
        await this.#call("newGame", {}).result;
    }

    /** Stops the searches that were asked for so far. */
    stop() {
        for (const { search } of this.#calls.values()) {
            search.stop();
        }
    }

    close() {
        this.#thread?.end();
        this.#crash(new KomadaiError("closed", "the engine was closed"));
    }

    #call(call, args) {
        const signal = createSignal();
        const id = ++this.#lastId;
        const stop = () => (this.#canPoll ? signal.stop() : this.#stopByForce(id));
        const search = new Search(stop);
        if (this.#fault) {
            signal.dispose();
            search.fail(this.#fault);
            return search;
        }
        const message = { id, call, args, signal: signal.message };
        this.#calls.set(id, { search, signal, message, last: undefined });
        this.#post(message);
        return search;
    }

    #post(message) {
        if (this.#thread) {
            this.#thread.hold();
            this.#thread.post(message);
        } else {
            this.#waiting.push(message);
        }
    }

    #receive({ id, report, result, error }) {
        const call = this.#calls.get(id);
        if (!call) {
            return;
        }
        if (report !== undefined) {
            call.last = JSON.parse(report);
            call.search.report(call.last);
            return;
        }
        this.#forget(id);
        if (error) {
            const exception = new KomadaiError(error.code, error.message);
            call.search.fail(exception);
            if (error.code === "crash") {
                this.#crash(exception);
            }
        } else {
            call.search.finish(result);
        }
    }

    #forget(id) {
        this.#calls.get(id).signal.dispose();
        this.#calls.delete(id);
        if (this.#calls.size === 0) {
            this.#thread?.release();
        }
    }

    /** Ends all calls: the engine cannot be used any more. */
    #crash(error) {
        this.#fault ??= error;
        for (const [id, { search }] of [...this.#calls]) {
            this.#forget(id);
            search.fail(error);
        }
    }

    #stopByForce(id) {
        this.#stopped.add(id);
        if (this.#stopped.size === 1) {
            // Searches that are stopped together need one new worker. A failure has reached their callers.
            queueMicrotask(() => this.#replace().catch(() => {}));
        }
    }

    /**
     * Ends the stopped searches with their last reports by a new worker: the way for pages whose worker can look for
     * nothing. What the engine has learned is lost, and a search that was not stopped begins anew.
     */
    async #replace() {
        const [stopped, calls] = [this.#stopped, this.#calls];
        this.#stopped = new Set();
        this.#calls = new Map();
        this.#thread.end();
        this.#thread = undefined;
        for (const [id, { search, signal, last }] of calls) {
            if (!stopped.has(id)) {
                continue;
            }
            calls.delete(id);
            signal.dispose();
            if (last) {
                search.finish({ ...last, best: last.lines[0]?.moves[0] ?? "resign" });
            } else {
                search.fail(new KomadaiError("stopped", "the search was stopped before its first report"));
            }
        }
        for (const [id, call] of calls) {
            this.#calls.set(id, call);
            this.#waiting.push(call.message);
        }
        await this.#start();
        this.#waiting.splice(0).forEach((message) => this.#post(message));
    }
}

/** Milliseconds of a move without limits. */
const DEFAULT_TIME = 1_000;

function usiOf(position) {
    if (position instanceof Position) {
        return position.usi;
    }
    if (typeof position === "string") {
        return position;
    }
    const { sfen, moves = [] } = position;
    const start = sfen === undefined || sfen === "startpos" ? "startpos" : `sfen ${sfen}`;
    return moves.length > 0 ? `${start} moves ${moves.join(" ")}` : start;
}

/** Returns the bytes of a network. */
export async function bytesOf(network) {
    if (network === undefined || network instanceof Uint8Array) {
        return network;
    }
    if (network instanceof ArrayBuffer) {
        return new Uint8Array(network);
    }
    return bytesAt(network);
}
