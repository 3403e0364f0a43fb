// Everything that the page knows, in one place. Views watch the parts that they show.

const KEY = "komadai.settings";

/** What survives a reload, with its first values. */
const DEFAULTS = {
  mode: "study",
  language: "auto",
  theme: "auto",
  notation: "auto",
  pieces: "auto",
  flipped: false,
  // Tsume are seen from the attacker's side, whichever side plays or studies.
  tsumeFlipped: false,
  multipv: 1,
  hash: 64,
  arrows: true,
  gameNodes: 50000,
  mateNodes: 2000000,
  level: 3,
  seconds: 2,
  side: "black",
  handicap: "",
  plies: 3,
  problem: {},
  network: null,
};

export const state = {
  ...DEFAULTS,
  ...stored(),
  // The game record, the node shown, and the number of changes so far.
  record: null,
  node: 0,
  revision: 0,
  // The moves of an engine's line that the board shows beyond the node.
  ahead: [],
  analysing: false,
  // The last analysis: the node, the side to move, and the report.
  analysis: null,
  // By node: the value for Black and the best line of a finished analysis.
  values: new Map(),
  marks: new Map(),
  // The running analysis of the game: done and total.
  progress: null,
  // The game against the engine, the tsume problem, the position being edited, the mate search.
  play: null,
  tsume: null,
  edit: null,
  mate: null,
};

function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY)) ?? {};
    const fits = ([name, value]) => name in DEFAULTS && (DEFAULTS[name] === null || typeof value === typeof DEFAULTS[name]);
    return Object.fromEntries(Object.entries(found).filter(fits));
  } catch {
    return {};
  }
}

/** The setting that tells whether the board of a mode is turned. */
export const flipKey = () => (state.mode === "tsume" ? "tsumeFlipped" : "flipped");

const watchers = [];
let changed = new Set();

/** Calls a function now, and after each change of one of the parts. */
export function watch(keys, action) {
  watchers.push({ keys, action });
  action();
}

/** Changes parts of the state; watchers run once for all changes of a turn. */
export function set(parts) {
  for (const [key, value] of Object.entries(parts)) {
    if (state[key] === value) continue;
    state[key] = value;
    if (!changed.size) queueMicrotask(notify);
    changed.add(key);
  }
}

function notify() {
  const keys = changed;
  changed = new Set();
  if ([...keys].some((key) => key in DEFAULTS)) keep();
  for (const watcher of watchers) {
    if (watcher.keys.some((key) => keys.has(key))) watcher.action();
  }
}

function keep() {
  const settings = Object.fromEntries(Object.keys(DEFAULTS).map((key) => [key, state[key]]));
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage the settings last as long as the page.
  }
}
