// The mate search in the position shown: a proved line, a proof that there is none, or neither.

import { byId, choice, h } from "./dom.js";
import { halt, run } from "./engine.js";
import { position } from "./game.js";
import { amount, notation, t } from "./i18n.js";
import { set, state, watch } from "./state.js";

const LIMITS = [200000, 2000000, 20000000];

/** Searches for a mate from the position shown. */
export function searchMate() {
  const { node, mateNodes } = state;
  const { sfen } = position();
  set({ analysing: false, ahead: [], mate: { node, running: true } });
  run(async (engine, token) => {
    token.stop = () => engine.stop();
    const result = await engine.solveMate({ sfen, moves: [] }, { nodes: mateNodes });
    if (!token.stopped) set({ mate: { node, result } });
  }).finally(() => state.mate?.running && set({ mate: null }));
}

function show() {
  const { mate } = state;
  const shown = mate?.node === state.node ? mate : null;
  const start = h("button", { type: "button", id: "solve", onclick: () => (mate?.running ? halt() : searchMate()) }, t(mate?.running ? "stop" : "solve"));
  byId("mate").replaceChildren(
    h("div", { class: "row" }, h("h2", {}, t("mateSearch")), start,
      choice("mate-nodes", t("effort"), LIMITS.map((nodes) => [nodes, amount(nodes)]), state.mateNodes, (value) => set({ mateNodes: +value }))),
    h("div", { class: "answer", "aria-live": "polite" }, answer(shown)));
}

function answer(shown) {
  if (!shown) return null;
  if (shown.running) return h("p", {}, t("thinking"));
  const { status, moves, nodes } = shown.result;
  if (status === "nomate") return h("p", {}, t("noMate"));
  if (status !== "mate") return h("p", {}, t("unknownMate", amount(nodes)));
  const links = position().line(moves, notation()).map((name, index) => h("a", {
    href: "#", class: state.ahead.length === index + 1 ? "now" : "",
    onclick: (event) => { event.preventDefault(); set({ ahead: moves.slice(0, index + 1) }); },
  }, name));
  return [h("p", { class: "found" }, t("mateIn", moves.length)), h("p", { class: "pv" }, links.flatMap((link) => [link, " "]))];
}

export function startMate() {
  watch(["mate", "node", "ahead", "mateNodes", "language", "notation"], show);
}
