// The package, from the folder beside the page.

export {
  default, Engine, GameRecord, Position, checkSfen, evaluationGraph, handicaps, markLosses, problems, svg, version,
} from "../komadai/index.js";
