/** Loads the module: the build with vector instructions where the platform has them. Call it once before all else. */
declare function init(options?: InitOptions): Promise<void>;
export { init, init as default };

export interface InitOptions {
    /** The module, if it does not lie beside the scripts: its URL, its bytes, a response, or a compiled module. */
    wasm?: string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module | Response | Promise<Response>;
}

/** Returns true if the platform has the vector instructions of the faster build. */
export function hasSimd(): boolean;

/** An error of the package. The message says what was found, where, and what was expected. */
export class KomadaiError extends Error {
    constructor(code: ErrorCode, message: string);
    readonly code: ErrorCode;
}

/**
 * The family of an error. `sfen`: a text is no position, move or square. `illegal-move`: a move breaks a rule.
 * `kifu`: a record cannot be read, replayed or written. `mate`: a position cannot be searched for a mate. `engine`: an
 * engine cannot be made, set or asked. `network`: a network cannot be read. `argument`: an argument has a value that it
 * cannot have. `load`: a file cannot be loaded. `stopped`, `closed`: there is no result. `crash`: a fault of the package.
 */
export type ErrorCode =
    | "sfen"
    | "illegal-move"
    | "kifu"
    | "mate"
    | "engine"
    | "network"
    | "argument"
    | "load"
    | "stopped"
    | "closed"
    | "crash";

/** Black is 先手 and moves up the board. */
export type Color = "black" | "white";

/**
 * A way to name moves: `japanese` ▲７六歩 (also `ki2`), `kif` ▲７六歩(77), `csa` +7776FU, `western` P-7f (also
 * `hodges`), `hosking` P76, `usi` 7g7f.
 */
export type Notation = "japanese" | "ki2" | "kif" | "csa" | "western" | "hodges" | "hosking" | "usi";

/**
 * A position with the moves that led to it. Moves are USI strings: `7g7f`, `8h2b+`, `P*5e`; squares are `7g`.
 *
 * The memory of a position is freed some time after it is no longer used; a loop that makes many without a pause calls
 * `free`.
 */
export class Position {
    /** The start of the even game, or a position as `parse` reads it. */
    constructor(text?: string);
    /**
     * Reads an SFEN, a USI position (`startpos moves 7g7f`, `sfen … moves …`), the name of a handicap (二枚落ち), or a
     * board in lines as in KIF and CSA files (BOD).
     */
    static parse(text: string): Position;
    /** Makes a position of an editor's pieces; an error names the rule that they break. */
    static fromPieces(pieces: Pieces): Position;
    readonly sfen: string;
    /** The start and the moves from it: `sfen … moves …`. */
    readonly usi: string;
    readonly turn: Color;
    /** The number of the next move, from 1. */
    readonly ply: number;
    /** True if the side to move is in check. */
    readonly isCheck: boolean;
    /** All legal moves. */
    legalMoves(): string[];
    /** The legal moves of the piece on a square (`7g`), or the drops of a kind (`P*`). */
    movesFrom(from: string): string[];
    /** The piece on a square in letters of SFEN, capital for Black: `P`, `+r`. */
    pieceAt(square: string): string | undefined;
    /** The pieces in hand, the most valuable first: `{ R: 1, P: 3 }`. */
    hand(color: Color): { [letter: string]: number };
    /** Makes a legal move. An illegal one is an error that names the rule, and changes nothing. */
    push(usi: string): void;
    /** Takes the last move back. */
    pop(): string | undefined;
    /** The moves since the start that the position was made with. */
    moves(): string[];
    /** The rule that a move breaks, as a sentence; `undefined` for a legal move. */
    whyIllegal(usi: string): string | undefined;
    /** The rule that a move breaks, with its name: for programs that have words of their own. */
    brokenRule(usi: string): BrokenRule | undefined;
    /** The end of the game by its rules. */
    outcome(): Outcome | undefined;
    /** The name of a legal move. */
    name(usi: string, notation?: Notation): string;
    /** The names of the moves of a line, up to the first illegal one. */
    line(usiMoves: Iterable<string>, notation?: Notation): string[];
    /** The board and both hands as a picture. Its texts are escaped. */
    svg(options?: SvgOptions): string;
    /** The number of lines of legal moves of this length. */
    perft(depth: number): number;
    copy(): Position;
    free(): void;
    toString(): string;
}

export interface Pieces {
    /** The pieces by their squares: `{ "5i": "K", "5a": "k", "2b": "+r" }`. */
    board?: { [square: string]: string };
    hands?: { black?: { [letter: string]: number }; white?: { [letter: string]: number } };
    turn?: Color;
    /** The number of the next move, from 1. */
    ply?: number;
}

export interface Outcome {
    /** Absent for a draw. */
    winner?: Color;
    /** `checkmate`, `repetition` … */
    reason: string;
}

export interface SvgOptions {
    /** White below. */
    flipped?: boolean;
    /** The move to mark; by default the last one. */
    lastMove?: string;
    arrows?: Array<string | { move: string; kind?: "plain" | "good" | "bad" | "minor" }>;
    /** `auto` follows the reader's system. */
    theme?: "auto" | "light" | "dark";
    /** The short way to say `theme: "dark"` or `"light"`. */
    dark?: boolean;
    pieces?: "kanji" | "letters";
    /** The places of the hands: beside the board, or above and below it for narrow screens. */
    stands?: "sides" | "rows";
    title?: string;
}

/** A rule that a move or a position breaks. */
export interface BrokenRule {
    /** The name of the rule: `nifu`, `pinned`, `must-promote` …; for a position `no-king`, `two-kings` … */
    code: string;
    /** The sentence of the library. */
    text: string;
}

/** Draws a position in SFEN, also one that breaks rules, as an editor has. */
export function svg(sfen: string, options?: Omit<SvgOptions, "dark">): string;

/** Tells why no game can start from a position; `code` is `sfen` if the text is none. */
export function checkSfen(sfen: string): BrokenRule | undefined;

/** A value of a game after some moves. */
export interface GraphPoint {
    /** The number of moves made, 0 for the start. */
    ply: number;
    /** For Black. */
    score?: Score;
    bound?: "lower" | "upper";
    /** The mark of the move that led to the position. */
    mark?: LossMark;
    /** The name of that move. */
    label?: string;
}

/** 緩手, 疑問手, 悪手: by the winning chances that the move lost. */
export type LossMark = "?!" | "?" | "??";

export interface GraphOptions {
    language?: "en" | "ja";
    /** Width and height in CSS pixels. */
    size?: [number, number];
    /** A number of moves that is marked by a line. */
    cursor?: number;
    theme?: "auto" | "light" | "dark";
    title?: string;
}

/** Draws the values of a game as a graph. */
export function evaluationGraph(points: GraphPoint[], options?: GraphOptions): string;

/** Marks the moves that lost value; `first` made the first move. Points without a loss have an empty text. */
export function markLosses(points: GraphPoint[], first?: Color): Array<LossMark | "">;

export interface Handicap {
    /** `hirate`, `lance`, `two-piece` … */
    id: string;
    /** The name in records: 平手, 香落ち, 二枚落ち … */
    name: string;
    sfen: string;
}

/** The standard starts (手合割), the even game first. */
export function handicaps(): Handicap[];

/** The version of the package. */
export function version(): string;

/** The formats of records. */
export type RecordFormat = "kif" | "ki2" | "csa" | "jkf" | "usen" | "usi";

export interface ParseOptions {
    /** The format; by default the content tells it. */
    format?: RecordFormat;
    /** Skips what is faulty instead of refusing it. */
    lenient?: boolean;
}

/** The id of a node of a record. It stays the same when others are added and removed. */
export type NodeId = number;

/**
 * A game with its variations: a tree of nodes. The root stands before the first move; each other node is a move. The
 * first child of a node continues its line, the others are variations.
 */
export class GameRecord {
    /** A game from a position, with the moves that led to it; by default the start of the even game. */
    constructor(start?: Position | string);
    /** Reads the first game of a text in KIF, KI2, CSA, JKF, USEN or USI; bytes may be UTF-8, Shift_JIS or EUC-JP. */
    static parse(text: string | Uint8Array, options?: ParseOptions): GameRecord;
    /** Reads all games of a text. */
    static parseAll(text: string | Uint8Array, options?: ParseOptions): GameRecord[];
    /** `black`, `white`, `event`, `date` …; keys that only one format has keep their word. */
    readonly headers: { [name: string]: string };
    setHeader(name: string, value: string): void;
    readonly initialSfen: string;
    readonly root: NodeId;
    /** The result, if the record says how the game ended. */
    readonly result: Color | "draw" | undefined;
    children(id: NodeId): NodeId[];
    parent(id: NodeId): NodeId | undefined;
    /** The move of a node; `undefined` for the root. */
    move(id: NodeId): string | undefined;
    /** The comment on the position of a node, in lines. */
    comment(id: NodeId): string;
    /** Seconds that the move took. */
    time(id: NodeId): number | undefined;
    /** The end mark at a node: `resign`, `checkmate`, `time_up` … */
    end(id: NodeId): string | undefined;
    /** The nodes of the game itself, without the root. */
    mainline(): NodeId[];
    /** The moves from the start to a node. */
    path(id: NodeId): string[];
    /** The position of a node; an error if a move before it is illegal, which records may contain. */
    position(id: NodeId): Position;
    /** Adds a legal move after a node, or finds it there. */
    add(id: NodeId, usi: string): NodeId;
    setComment(id: NodeId, text: string): void;
    /** Removes a node and all after it. */
    remove(id: NodeId): void;
    /** Makes a node the first child of its parent. */
    promote(id: NodeId): void;
    /** The record in a format, and what the format cannot hold, as sentences. */
    text(format: RecordFormat): { text: string; lost: string[] };
    free(): void;
}

/** A value for the side to move: centipawns, or a mate. The length of a mate is `null` if it is not known. */
export type Score = { kind: "cp"; value: number } | { kind: "mate"; plies: number | null; win: boolean };

export interface AnalysisLine {
    score: Score;
    /** Present if the value is at least (`lower`) or at most (`upper`) the score. */
    bound?: "lower" | "upper";
    depth: number;
    moves: string[];
}

export interface Analysis {
    /** The depth of the last finished iteration, in plies. */
    depth: number;
    /** The depth of the longest line, in plies. */
    selDepth: number;
    nodes: number;
    /** Nodes a second. */
    nps: number;
    /** Milliseconds. */
    time: number;
    /** Thousandths of the table in use; in results only. */
    hashFull?: number;
    /** The lines, the best first. */
    lines: AnalysisLine[];
}

/** The result of a search: `best` is a move, `resign`, or `win` for a declaration of the entered king. */
export type AnalysisResult = Analysis & { best: string };

/** The limits of a search; the first that is reached ends it. One is needed. */
export interface Limits {
    nodes?: number;
    /** Plies. */
    depth?: number;
    /** Milliseconds. */
    time?: number;
    /** No limit but `stop`. */
    infinite?: boolean;
    /** The number of lines. */
    multipv?: number;
}

/** A running search: `for await (const analysis of search)` has its reports; leaving the loop stops it. */
export interface Search extends AsyncIterable<Analysis> {
    stop(): void;
    readonly result: Promise<AnalysisResult>;
}

export interface MateResult {
    /** `mate` and `nomate` are proved. */
    status: "mate" | "nomate" | "unknown";
    /** The moves of both sides. */
    moves: string[];
    /** True if it is proved that no mate is shorter. */
    shortest: boolean;
    nodes: number;
}

/** `any` is fast, `shortest` also proves that no shorter mate exists. */
export type MateGoal = "any" | "short" | "shortest";

export interface ProblemReport {
    /** The main line. */
    moves: string[];
    /** True if there is one solution and no piece is left in hand. */
    sound: boolean;
    /** True if all moves of the main line were examined. */
    complete: boolean;
    /** The flaws (余詰 …). */
    cooks: Array<{ ply: number; kind: string; moves: string[] }>;
    /** The report in words. */
    text: string;
    nodes: number;
}

export interface Problem {
    sfen: string;
    plies: number;
    /** Difficulty: ten for each doubling of the solver's nodes, five for each ply. */
    rating: number;
    moves: string[];
}

/** The 10,000 bundled tsume problems of 3 to 15 plies, the easiest first. They may be used by anyone for anything (CC0). */
export const problems: {
    /** Loads the file of the problems, 261 kB after gzip; needed once, before all else. */
    load(): Promise<void>;
    readonly count: number;
    get(index: number): Problem | undefined;
    /** The indices of the problems with this number of plies. */
    ofPlies(plies: number): number[];
};

/** Searches for a mate on this thread. */
export function solveMate(position: Position | string, options?: { nodes?: number; goal?: MateGoal }): MateResult;

/** Examines a tsume problem on this thread: one solution, other flaws. */
export function checkProblem(position: Position | string, options?: { nodes?: number }): ProblemReport;

/** A position as the engine takes it. */
export type EnginePosition = Position | string | { sfen?: string; moves?: string[] };

export interface EngineOptions {
    /** The size of the table in MiB; 32 by default. */
    hash?: number;
    /** Another network (nn.bin), as bytes or by its URL. */
    network?: Uint8Array | ArrayBuffer | string | URL;
    /** USI options by their names. */
    options?: { [name: string]: string | number | boolean };
}

/** An engine in a worker. It makes one search after the other: a second call waits for the first. */
export class Engine {
    private constructor();
    static create(options?: EngineOptions): Promise<Engine>;
    /** Searches a position. A limit of nodes gives the same result on every platform. */
    analyse(position: EnginePosition, limits: Limits): Search;
    /**
     * Chooses a move to play: a move, `resign` or `win`. `level` is 1 (weakest) to 10, 0 for full strength; without
     * limits and level a move takes a second.
     */
    play(
        position: EnginePosition,
        limits?: { level?: number; nodes?: number; depth?: number; time?: number },
    ): Promise<string>;
    solveMate(position: EnginePosition, limits?: { nodes?: number; time?: number; goal?: MateGoal }): Promise<MateResult>;
    checkProblem(position: EnginePosition, limits?: { nodes?: number }): Promise<ProblemReport>;
    setOption(name: string, value: string | number | boolean): Promise<void>;
    /** Forgets what was learned from earlier searches. */
    newGame(): Promise<void>;
    /** Stops the searches that were asked for so far; their results are what they have found. */
    stop(): void;
    /** Ends the worker. */
    close(): void;
}
