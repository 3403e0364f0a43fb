// The trainer of tsume problems: the reader attacks, the solution or the solver defends.

import { moveName, registerBoard } from "./board.js";
import { byId, choice, h, signButton } from "./dom.js";
import { run } from "./engine.js";
import { newGame } from "./game.js";
import { errorText, kindName, squareName, t } from "./i18n.js";
import { Position, problems } from "./komadai.js";
import { searchMate } from "./mate.js";
import { registerLine } from "./navigation.js";
import { set, state, watch } from "./state.js";
import { isSolved, loadProgress, markSolved } from "./tsume_progress.js";

/** Nodes that the solver may spend on a reply; the mates of the problems need far less. */
const REPLY_NODES = 200000;
/** No bundled problem is longer. */
const MOST_PLIES = 31;

// The numbers of the problems by their number of plies.
const groups = new Map();
let started = false;
let kept = null;

function group() {
  return groups.get(+state.plies) ?? groups.values().next().value;
}

/** Shows a problem of the group. `tsume.moves` are all moves so far, `at` those that are shown. */
function choose(index) {
  const numbers = group();
  const at = (index + numbers.length) % numbers.length;
  const number = numbers[at];
  const { sfen, moves: line } = problems.get(number);
  set({
    problem: { ...state.problem, [state.plies]: at },
    tsume: { number, index: at, sfen, line, moves: [], at: 0, verdict: null, kind: "", shown: false, done: false, busy: false },
  });
}

const change = (parts) => set({ tsume: { ...state.tsume, ...parts } });

/** Returns the position after the moves that are shown; it belongs to this module. */
function shown() {
  const { sfen, moves, at } = state.tsume;
  if (kept?.sfen !== sfen || kept.moves !== moves || kept.at !== at) {
    kept?.position.free();
    kept = { sfen, moves, at, position: new Position(sfen) };
    for (const usi of moves.slice(0, at)) kept.position.push(usi);
  }
  return kept.position;
}

/** Judges a move of the reader. */
async function attack(usi) {
  const tsume = state.tsume;
  const before = shown();
  const name = moveName(before, usi);
  const after = before.copy();
  try {
    after.push(usi);
    if (!after.isCheck) return change({ verdict: t("notCheck", name), kind: "wrong" });
    const moves = [...tsume.moves.slice(0, tsume.at), usi];
    if (!after.legalMoves().length) return finish(moves);
    const expected = tsume.line[tsume.at];
    const onLine = tsume.moves.slice(0, tsume.at).every((move, index) => move === tsume.line[index]);
    if (onLine && usi === expected) {
      return change({ moves: [...moves, tsume.line[tsume.at + 1]], at: tsume.at + 2, verdict: t("right"), kind: "right" });
    }
    change({ busy: true, verdict: t("checking"), kind: "" });
    const answer = await defend(after, tsume.line.length - moves.length);
    if (state.tsume.number !== tsume.number) return undefined;
    if (answer.escapes) {
      const reply = answer.reply ? t("wrong", name, moveName(after, answer.reply)) : t("wrongOnly", name);
      return change({ busy: false, verdict: reply, kind: "wrong" });
    }
    return change({ busy: false, moves: [...moves, answer.reply], at: moves.length + 1, verdict: t("alsoMate"), kind: "right" });
  } finally {
    after.free();
  }
}

function finish(moves) {
  if (!state.tsume.shown) markSolved(state.tsume.number);
  change({ moves, at: moves.length, verdict: t("complete"), kind: "right", done: true, busy: false });
}

/**
 * Looks for a reply after which the attacker has no mate in time; otherwise returns the reply with the
 * longest mate.
 */
async function defend(after, plies) {
  const { sfen } = after;
  const answers = await run(async (engine) => {
    let best = { length: -1 };
    for (const reply of after.legalMoves()) {
      const result = await engine.solveMate({ sfen, moves: [reply] }, { nodes: REPLY_NODES });
      if (result.status !== "mate") return { escapes: true, reply: result.status === "nomate" ? reply : null };
      if (result.moves.length > best.length) best = { length: result.moves.length, reply };
    }
    return best.length + 1 > plies ? { escapes: true, reply: null } : best;
  });
  return answers ?? { escapes: true, reply: null };
}

function hint() {
  const { line, moves, at } = state.tsume;
  const onLine = moves.slice(0, at).every((move, index) => move === line[index]);
  const usi = onLine ? line[at] : line[0];
  const text = usi[1] === "*" ? t("hintDrop", kindName(usi[0])) : t("hintFrom", squareName(usi.slice(0, 2)));
  change({ verdict: text, kind: "", ...(onLine ? {} : { moves: [], at: 0 }) });
}

/** Shows the solution, which counts as not solved. */
function solve() {
  change({ moves: state.tsume.line, at: 0, verdict: t("shown"), kind: "", shown: true });
}

function nextUnsolved() {
  const numbers = group();
  const { index } = state.tsume;
  for (let step = 1; step <= numbers.length; step++) {
    const at = (index + step) % numbers.length;
    if (!isSolved(numbers[at])) return choose(at);
  }
  return choose(index + 1);
}

function show() {
  const tsume = state.tsume;
  const numbers = group();
  const length = tsume.line.length;
  const solved = numbers.filter(isSolved).length;
  const sizes = [...groups.keys()].sort((one, other) => one - other).map((plies) => [plies, t("pliesOf", plies)]);
  const number = h("input", { id: "problem", type: "number", min: 1, max: numbers.length, value: tsume.index + 1,
    onchange: (event) => event.target.value >= 1 && choose(Math.min(numbers.length, Math.round(event.target.value)) - 1) });
  byId("tsume").replaceChildren(
    h("h2", {}, t("problemOf", tsume.index + 1, numbers.length), isSolved(tsume.number) && h("span", { class: "solved" }, ` ✓ ${t("isSolved")}`)),
    h("div", { class: "fields" },
      choice("plies", t("plies"), sizes, state.plies, (plies) => { set({ plies: +plies }); choose(state.problem[plies] ?? 0); }),
      h("label", {}, t("goToProblem"), " ", number)),
    h("p", { class: `verdict ${tsume.kind}`, role: "status" }, tsume.verdict ?? t("findMate", length)),
    h("div", { class: "row" },
      h("button", { type: "button", id: "retry", onclick: () => choose(tsume.index) }, t("retry")),
      h("button", { type: "button", id: "tsume-hint", disabled: tsume.done, onclick: hint }, t("hint")),
      h("button", { type: "button", id: "solution", onclick: solve }, t("solution"))),
    h("div", { class: "row" },
      signButton("problem-before", "◀", t("previousProblem"), () => choose(tsume.index - 1)),
      signButton("problem-after", "▶", t("nextProblem"), () => choose(tsume.index + 1)),
      h("button", { type: "button", id: "unsolved", class: tsume.done ? "main" : "", onclick: nextUnsolved }, t("unsolvedProblem"))),
    h("p", { class: "row" }, h("progress", { max: numbers.length, value: solved, "aria-hidden": "true" }), " ", t("solved", solved, numbers.length)),
    h("h2", {}, t("ownProblem")),
    h("p", { class: "hint" }, t("ownHelp")),
    h("div", { class: "row" },
      h("button", { type: "button", id: "own", onclick: () => set({ mode: "edit" }) }, t("setUp")),
      h("button", { type: "button", id: "to-solver", onclick: toSolver }, t("toSolver"))));
}

/** Opens the position shown as a record, and searches for a mate in it. */
function toSolver() {
  newGame(shown().sfen);
  set({ mode: "study" });
  searchMate();
}

/** Loads the problems, which are a file of their own, when they are first wanted. */
async function start() {
  started = true;
  byId("tsume").replaceChildren(h("p", {}, t("loading")));
  try {
    await problems.load();
  } catch (error) {
    started = false;
    byId("tsume").replaceChildren(h("p", { class: "verdict wrong" }, errorText(error)));
    return;
  }
  for (let plies = 1; plies <= MOST_PLIES; plies += 2) {
    const numbers = problems.ofPlies(plies);
    if (numbers.length) groups.set(plies, numbers);
  }
  loadProgress(problems.count);
  if (!groups.has(+state.plies)) set({ plies: groups.keys().next().value });
  choose(state.problem[state.plies] ?? 0);
  registerBoard("tsume", ["tsume"], () => {
    const { moves, at, shown: solution, done, busy } = state.tsume;
    return {
      position: shown(),
      lastMove: moves[at - 1],
      move: solution || done || busy || at !== moves.length ? undefined : attack,
    };
  });
  registerLine("tsume", ["tsume"], () => {
    const { moves, at } = state.tsume;
    return moves.length ? { at, last: moves.length, go: (index) => change({ at: index }), name: String(at) } : null;
  });
  watch(["tsume", "language", "notation"], show);
}

export function startTsume() {
  watch(["mode"], () => state.mode === "tsume" && !started && start());
}
