import { drawGraph, drawSetup, handicaps as named, markPoints, setupFault, version as versionOf } from "./native.js";

/** Draws a position given as SFEN, also one that breaks rules. */
export function svg(sfen, options = {}) {
    return drawSetup(String(sfen), JSON.stringify(options));
}

/** Tells why no game can start from a position. */
export function checkSfen(sfen) {
    const fault = setupFault(String(sfen));
    return fault === undefined ? undefined : JSON.parse(fault);
}

/** Draws the values of a game. */
export function evaluationGraph(points, options = {}) {
    return drawGraph(JSON.stringify(points), JSON.stringify(options));
}

/** Marks the moves that lost value. */
export function markLosses(points, first = "black") {
    return markPoints(JSON.stringify(points), String(first));
}

/** The standard starts, the even game first. */
export function handicaps() {
    return JSON.parse(named());
}

/** The version of the package. */
export function version() {
    return versionOf();
}
