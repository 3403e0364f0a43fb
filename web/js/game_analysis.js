// The analysis of a whole game: a value for each position of the line, its graph, and marks.

import { boundForBlack, forBlack, searched } from "./analysis.js";
import { byId, choice, h, picture } from "./dom.js";
import { halt, run } from "./engine.js";
import { go, names, path, withPosition } from "./game.js";
import { evaluationGraph, markLosses } from "./komadai.js";
import { amount, language, t } from "./i18n.js";
import { registerKey } from "./navigation.js";
import { set, state, watch } from "./state.js";

const NODES = [5000, 20000, 50000, 200000, 1000000];

/** Analyses the positions of the line one after the other; a value stays when the analysis stops. */
function analyseGame() {
  const nodes = path();
  const budget = state.gameNodes;
  set({ analysing: false, analysis: null, ahead: [], progress: { done: 0, total: nodes.length }, values: new Map(), marks: new Map() });
  run(async (engine, token) => {
    await engine.newGame?.();
    for (const [done, node] of nodes.entries()) {
      if (token.stopped) break;
      const value = await valueOf(engine, token, node, budget);
      if (value) set({ values: new Map(state.values).set(node, value) });
      set({ progress: { done: done + 1, total: nodes.length } });
      mark();
    }
  }).finally(() => set({ progress: null }));
}

async function valueOf(engine, token, node, budget) {
  const { turn, over } = withPosition(node, (there) => ({ turn: there.turn, over: there.outcome() }));
  if (over) {
    if (over.reason !== "checkmate" && over.reason !== "stalemate") return null;
    return { score: { kind: "mate", plies: 0, win: over.winner === "black" }, line: [] };
  }
  const search = engine.analyse(searched(node), { nodes: budget, multipv: 1 });
  token.stop = () => search.stop();
  if (token.stopped) search.stop();
  const report = await search.result;
  const best = report.lines[0];
  if (token.stopped || !best) return null;
  return { score: forBlack(best.score, turn), bound: boundForBlack(best.bound, turn), line: best.moves, depth: report.depth };
}

const turnAtStart = () => withPosition(path()[0], (start) => start.turn);

function points() {
  const nodes = path();
  const labels = names(nodes);
  return nodes.map((node, ply) => {
    const value = state.values.get(node);
    return { ply, score: value?.score, bound: value?.bound, mark: state.marks.get(node), label: ply ? labels[ply] : undefined };
  });
}

/** Marks the moves that lost value, by the rules of the library. */
function mark() {
  const nodes = path();
  const found = markLosses(points().map((point) => ({ ...point, mark: undefined })), turnAtStart());
  set({ marks: new Map(nodes.map((node, ply) => [node, found[ply]]).filter(([, sign]) => sign)) });
}

let head = null;

function build() {
  head = {
    start: h("button", { type: "button", id: "analyse-game", class: "main", onclick: () => (state.progress ? halt() : analyseGame()) }),
    bar: h("progress", { max: 1, value: 0, hidden: true }),
    status: h("span", { class: "status" }),
    graph: h("div", { id: "graph", onclick: clickGraph }),
    sides: h("div", { class: "sides" }),
  };
  byId("game").replaceChildren(
    h("div", { class: "row" }, h("h2", {}, t("graph")), head.start,
      choice("game-nodes", t("perMove"), NODES.map((nodes) => [nodes, amount(nodes)]), state.gameNodes, (value) => set({ gameNodes: +value })),
      head.bar, head.status),
    head.sides, head.graph);
  show();
}

function show() {
  if (!head) return;
  const { progress } = state;
  head.start.textContent = t(progress ? "stop" : "wholeGame");
  head.start.disabled = !progress && path().length < 2;
  head.bar.hidden = !progress;
  if (progress) head.bar.value = progress.done / progress.total;
  head.status.textContent = progress ? t("progress", progress.done, progress.total) : "";
  drawGraph();
  showSides();
}

function drawGraph() {
  const nodes = path();
  if (!nodes.some((node) => state.values.has(node))) {
    head.graph.replaceChildren(h("p", { class: "hint" }, t("noGraph")));
    return;
  }
  const wide = matchMedia("(min-width: 40rem)").matches;
  const svg = evaluationGraph(points(), { language: language(), size: wide ? [1000, 240] : [400, 220], cursor: nodes.indexOf(state.node) });
  head.graph.replaceChildren(picture(svg));
}

function clickGraph(event) {
  const plot = head.graph.querySelector(".kg-plot");
  if (!plot) return;
  const box = plot.getBoundingClientRect();
  const nodes = path();
  const ply = Math.round(((event.clientX - box.left) / box.width) * +plot.dataset.last);
  go(nodes[Math.max(0, Math.min(nodes.length - 1, ply))]);
}

/** Shows the numbers of marks of both sides. */
function showSides() {
  const nodes = path();
  const first = turnAtStart();
  if (!state.marks.size) return head.sides.replaceChildren();
  const signs = [["?!", "inaccuracies"], ["?", "mistakes"], ["??", "blunders"]];
  const row = (side) => {
    const mine = nodes.filter((node, ply) => ply && (ply % 2 === 1) === (side === first));
    const count = (sign) => mine.filter((node) => state.marks.get(node) === sign).length;
    return h("tr", {}, h("th", { scope: "row" }, `${side === "black" ? "▲" : "△"} ${t(side)}`), signs.map(([sign]) => h("td", {}, count(sign))));
  };
  const title = h("tr", {}, h("td"), signs.map(([sign, word]) => h("th", { scope: "col", title: t(word) }, `${sign} ${t(word)}`)));
  return head.sides.replaceChildren(h("table", {}, title, row("black"), row("white")));
}

/** Goes to the next marked move in a direction. */
function mistake(step) {
  const nodes = path();
  for (let ply = nodes.indexOf(state.node) + step; ply >= 0 && ply < nodes.length; ply += step) {
    if (state.marks.has(nodes[ply])) return go(nodes[ply]);
  }
  return undefined;
}

export function startGameAnalysis() {
  watch(["language"], build);
  watch(["values", "marks", "progress", "node", "revision", "record", "language", "notation"], show);
  watch(["mode"], () => state.progress && state.mode !== "study" && halt());
  registerKey("study", "n", () => mistake(1));
  registerKey("study", "p", () => mistake(-1));
}
