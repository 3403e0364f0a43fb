import { NativeRecord, parseRecords } from "./native.js";
import { KomadaiError } from "./errors.js";
import { Position } from "./position.js";

/** A game with its variations: a tree of nodes, whose ids are numbers. */
export class GameRecord {
    #native;

    /** A game that begins at a position, with the moves that led to it. */
    constructor(start = new Position()) {
        this.#native = NativeRecord.fromUsi(start instanceof Position ? start.usi : String(start));
    }

    static #of(native) {
        const record = new GameRecord();
        record.#native.free();
        record.#native = native;
        return record;
    }

    static parse(text, options) {
        const [first, ...others] = parse(text, options);
        others.forEach((other) => other.free());
        if (first === undefined) {
            throw new KomadaiError("kifu", "the text has no game");
        }
        return GameRecord.#of(first);
    }

    static parseAll(text, options) {
        return parse(text, options).map((native) => GameRecord.#of(native));
    }

    get headers() {
        return Object.fromEntries(JSON.parse(this.#native.headers()));
    }

    setHeader(name, value) {
        this.#native.setHeader(String(name), String(value));
    }

    get initialSfen() {
        return this.#native.initialSfen();
    }

    get root() {
        return 0;
    }

    get result() {
        return this.#native.result();
    }

    children(id) {
        return Array.from(this.#native.children(node(id)));
    }

    parent(id) {
        return this.#native.parent(node(id));
    }

    move(id) {
        return this.#native.moveOf(node(id));
    }

    comment(id) {
        return this.#native.comment(node(id));
    }

    time(id) {
        return this.#native.time(node(id));
    }

    end(id) {
        return this.#native.end(node(id));
    }

    mainline() {
        return Array.from(this.#native.mainLine());
    }

    path(id) {
        return this.#native.path(node(id));
    }

    position(id) {
        return Position.of(this.#native.position(node(id)));
    }

    add(id, usi) {
        return this.#native.add(node(id), String(usi));
    }

    setComment(id, text) {
        this.#native.setComment(node(id), String(text));
    }

    remove(id) {
        this.#native.remove(node(id));
    }

    promote(id) {
        this.#native.promote(node(id));
    }

    text(format) {
        return JSON.parse(this.#native.text(String(format)));
    }

    free() {
        this.#native.free();
    }
}

function parse(text, { format, lenient = false } = {}) {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    if (!(bytes instanceof Uint8Array)) {
        throw new KomadaiError("argument", "the game: expected a string or a Uint8Array");
    }
    return parseRecords(bytes, format, Boolean(lenient));
}

/** Checks that an id is a whole number, which the module would otherwise round. */
function node(id) {
    if (!Number.isInteger(id) || id < 0 || id > 0xffff_ffff) {
        throw new KomadaiError("argument", `found the node ${String(id)}, expected the id of a node`);
    }
    return id;
}
