export { default, default as init, hasSimd } from "./load.js";
export { KomadaiError } from "./errors.js";
export { Position } from "./position.js";
export { checkSfen, evaluationGraph, handicaps, markLosses, svg, version } from "./pictures.js";
export { GameRecord } from "./record.js";
export { checkProblem, problems, solveMate } from "./problems.js";
export { Engine } from "./engine.js";
