import { NativePosition } from "./native.js";

/** A position with the moves that led to it. */
export class Position {
    /** The object of the module. */
    native;

    constructor(text) {
        this.native = text === undefined ? NativePosition.hirate() : NativePosition.parse(String(text));
    }

    static parse(text) {
        return new Position(text);
    }

    static fromPieces(pieces) {
        return Position.of(NativePosition.fromPieces(JSON.stringify(pieces)));
    }

    /** Wraps an object of the module. */
    static of(native) {
        const position = Object.create(Position.prototype);
        position.native = native;
        return position;
    }

    get sfen() {
        return this.native.sfen();
    }

    get usi() {
        return this.native.usi();
    }

    get turn() {
        return this.native.isWhite() ? "white" : "black";
    }

    get ply() {
        return this.native.ply();
    }

    get isCheck() {
        return this.native.isCheck();
    }

    legalMoves() {
        return this.native.legalMoves();
    }

    movesFrom(from) {
        return this.native.movesFrom(String(from));
    }

    pieceAt(square) {
        return this.native.pieceAt(String(square));
    }

    hand(color) {
        return JSON.parse(this.native.hand(String(color)));
    }

    push(usi) {
        this.native.push(String(usi));
    }

    pop() {
        return this.native.pop();
    }

    moves() {
        return this.native.moves();
    }

    whyIllegal(usi) {
        return this.native.whyIllegal(String(usi));
    }

    brokenRule(usi) {
        const rule = this.native.brokenRule(String(usi));
        return rule === undefined ? undefined : JSON.parse(rule);
    }

    outcome() {
        const outcome = this.native.outcome();
        return outcome === undefined ? undefined : JSON.parse(outcome);
    }

    name(usi, notation = "japanese") {
        return this.native.name(String(usi), String(notation));
    }

    line(moves, notation = "japanese") {
        return this.native.line(Array.from(moves, String), String(notation));
    }

    svg({ dark, ...options } = {}) {
        // `dark` is the short way to name two of the three themes.
        const theme = dark === undefined ? undefined : dark ? "dark" : "light";
        return this.native.svg(JSON.stringify({ theme, ...options }));
    }

    perft(depth) {
        return this.native.perft(depth);
    }

    copy() {
        return Position.of(this.native.copy());
    }

    free() {
        this.native.free();
    }

    toString() {
        return this.sfen;
    }
}
