import { KomadaiError } from "./errors.js";
import { bytesAt } from "./load.js";
import { checkProblem as check, solveMate as solve } from "./native.js";
import { Position } from "./position.js";

/** The lines of the file of the problems: rating, plies, plies by the rules, nodes, SFEN and moves, with tabs between. */
let lines;
let loading;

/** The bundled tsume problems, the easiest first. */
export const problems = {
    load() {
        loading ??= bytesAt(new URL("./problems.tsv", import.meta.url)).then(
            (bytes) => {
                const text = new TextDecoder().decode(bytes);
                lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
            },
            (error) => {
                loading = undefined;
                throw error;
            },
        );
        return loading;
    },

    get count() {
        return loaded().length;
    },

    get(index) {
        const line = loaded()[index];
        if (line === undefined) {
            return undefined;
        }
        const [rating, plies, , , sfen, moves] = line.split("\t");
        return { sfen, plies: Number(plies), rating: Number(rating), moves: moves.split(" ") };
    },

    ofPlies(plies) {
        return loaded().flatMap((line, index) => (line.split("\t", 2)[1] === String(plies) ? [index] : []));
    },
};

function loaded() {
    if (lines === undefined) {
        throw new KomadaiError("load", "the problems are not loaded: await problems.load() first");
    }
    return lines;
}

/** Searches for a mate on this thread. */
export function solveMate(position, { nodes = 1_000_000, goal = "any" } = {}) {
    return withPosition(position, (own) => JSON.parse(solve(own.native, Number(nodes), String(goal))));
}

/** Examines a tsume problem on this thread. */
export function checkProblem(position, { nodes = 5_000_000 } = {}) {
    return withPosition(position, (own) => JSON.parse(check(own.native, Number(nodes))));
}

function withPosition(position, action) {
    if (position instanceof Position) {
        return action(position);
    }
    const own = new Position(position);
    try {
        return action(own);
    } finally {
        own.free();
    }
}
