// The running analysis: values, lines that can be played, and the bar of the value.

import { byId, choice, h } from "./dom.js";
import { halt, run } from "./engine.js";
import { movesTo, plyOf, position } from "./game.js";
import { amount, notation, t, valueText } from "./i18n.js";
import { registerKey } from "./navigation.js";
import { set, state, watch } from "./state.js";

/** Returns a score for Black. */
export function forBlack(score, turn) {
  if (turn === "black") return score;
  return score.kind === "mate" ? { ...score, win: !score.win } : { ...score, value: -score.value };
}

/** Returns the bound of a value for Black. */
export const boundForBlack = (bound, turn) => (turn === "black" || !bound ? bound : { lower: "upper", upper: "lower" }[bound]);

/** Returns the winning probability of a value, by the curve of the library's graphs. */
export const winProbability = (score) => (score.kind === "mate" ? +score.win : 1 / (1 + Math.exp(-score.value / 600)));

/** Returns what the engine needs of the node: the start and the moves, for the repetition rule. */
export const searched = (node) => ({ sfen: state.record.initialSfen, moves: movesTo(node) });

/** Searches the position shown, as long as the analysis is on. */
function follow() {
  if (!state.analysing || state.mode !== "study" || state.progress) return;
  const { node, multipv } = state;
  const { turn } = position();
  const over = position().outcome();
  if (over) {
    halt();
    set({ analysis: null });
    return;
  }
  const sfen = position().sfen;
  run(async (engine, token) => {
    const search = engine.analyse(searched(node), { infinite: true, multipv });
    token.stop = () => search.stop();
    if (token.stopped) search.stop();
    for await (const report of search) {
      if (!token.stopped && report.lines.length) set({ analysis: { node, turn, sfen, report } });
    }
  });
}

export function stopAnalysis() {
  halt();
  set({ analysing: false });
}

function toggle() {
  if (state.analysing) stopAnalysis();
  else set({ analysing: true });
}

let controls = null;

function build() {
  controls = {
    start: h("button", { type: "button", id: "analyse", class: "main", onclick: toggle }),
    status: h("p", { class: "status" }),
    lines: h("ol", { id: "lines" }),
  };
  byId("engine").replaceChildren(
    h("div", { class: "row" }, h("h2", {}, t("engine")), controls.start,
      choice("multipv", t("lines"), [1, 2, 3, 4, 5].map((count) => [count, count]), state.multipv, (value) => set({ multipv: +value })),
      h("label", {}, h("input", { type: "checkbox", id: "arrows", checked: state.arrows, onchange: (event) => set({ arrows: event.target.checked }) }), " ", t("arrows"))),
    controls.status, controls.lines);
  show();
}

function show() {
  if (!controls) return;
  const { start, status, lines } = controls;
  start.textContent = t(state.analysing ? "stop" : "analyse");
  start.setAttribute("aria-pressed", String(state.analysing));
  const over = position().outcome();
  const { analysis } = state;
  const shown = analysis?.node === state.node ? analysis : null;
  if (over) status.textContent = t("gameOver", outcomeText(over));
  else if (shown) status.textContent = figures(shown.report);
  else status.textContent = state.analysing ? t("thinking") : t("idle");
  lines.replaceChildren(...(shown ? shown.report.lines.map((line) => lineItem(shown, line)) : []));
}

function figures(report) {
  const depth = report.selDepth ? `${report.depth}/${report.selDepth}` : report.depth;
  const speed = report.nps ? ` · ${t("speed", amount(report.nps))}` : "";
  return `${t("depth", depth)} · ${t("nodes", amount(report.nodes))}${speed}`;
}

function lineItem(shown, line) {
  const value = h("span", { class: "v" }, valueText(forBlack(line.score, shown.turn), boundForBlack(line.bound, shown.turn)));
  const all = position().line(line.moves, notation());
  const moves = all.map((name, index) => {
    const moves = line.moves.slice(0, index + 1);
    const now = state.ahead.join() === moves.join();
    return h("a", { href: "#", class: now ? "now" : "", onclick: (event) => {
      event.preventDefault();
      set({ ahead: now ? [] : moves });
    } }, name);
  });
  return h("li", {}, value, h("span", { class: "pv" }, moves.flatMap((move) => [move, " "])));
}

/** Returns the words of an outcome. */
export function outcomeText({ winner, reason }) {
  const by = t(`by.${reason}`, reason);
  return winner ? t("wins", t(winner), by) : by;
}

/** Shows the value as a bar: the share of Black from the left. */
function showBar() {
  const shown = state.analysis?.node === state.node ? state.analysis : null;
  const kept = state.values.get(state.node);
  const first = shown?.report.lines[0];
  const score = first ? forBlack(first.score, shown.turn) : kept?.score;
  const bar = byId("bar");
  bar.classList.toggle("unknown", !score);
  const share = score ? winProbability(score) : 0.5;
  bar.style.setProperty("--share", `${(100 * share).toFixed(1)}%`);
  const text = score ? valueText(score, first ? boundForBlack(first.bound, shown.turn) : kept.bound) : "";
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", score ? t("value", t("black"), text) : "");
  bar.replaceChildren(h("i", {}), h("span", {}, text), h("span", {}, score ? t("winShare", Math.round(100 * share)) : ""));
}

export function startAnalysis() {
  watch(["language"], build);
  watch(["analysing", "analysis", "node", "revision", "ahead", "notation", "language"], show);
  watch(["analysis", "node", "values", "language"], showBar);
  watch(["analysing", "node", "record", "multipv", "mode", "progress"], follow);
  watch(["mode"], () => state.mode !== "study" && state.analysing && stopAnalysis());
  registerKey("study", " ", toggle);
}
