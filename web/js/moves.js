// The list of moves with variations, comments, times and values, and the notes below the board.

import { moveName, registerBoard } from "./board.js";
import { byId, h } from "./dom.js";
import { go, nameOf, names, path, play, playLine, plyOf, position, remove, setComment, withPosition } from "./game.js";
import { t, valueText } from "./i18n.js";
import { registerKey, registerLine } from "./navigation.js";
import { flipKey, set, state, watch } from "./state.js";

let beyond = null;

/** Returns the position that the board shows: that of the node, or one of an expected line. */
export function shownPosition() {
  const { ahead, node, record } = state;
  if (!ahead.length) return position();
  if (beyond?.ahead !== ahead || beyond.node !== node || beyond.record !== record) {
    beyond?.position.free();
    beyond = { ahead, node, record, position: position().copy() };
    for (const usi of ahead) beyond.position.push(usi);
  }
  return beyond.position;
}

function showPlayers() {
  const players = state.record.headers;
  for (const [side, sign] of [["black", "▲"], ["white", "△"]]) {
    const element = document.querySelector(`.player.${side}`);
    element.replaceChildren(`${sign} `, h("bdi", {}, players[side] || t(side)));
  }
  byId("board").classList.toggle("flipped", state[flipKey()]);
}

/** Returns a time in minutes and seconds. */
function clock(seconds) {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Returns true while a game is played, whose moves stay as they are. */
const isPlaying = () => state.mode === "play" && state.play && !state.play.over;

const look = (node) => isPlaying() || go(node);

function item(node, name, ply) {
  const { record } = state;
  const value = state.values.get(node);
  const mark = state.marks.get(node);
  const comment = record.comment(node);
  const time = record.time(node);
  const parent = record.parent(node);
  const others = parent === undefined ? [] : record.children(parent).filter((other) => other !== node);
  const link = h("a", { href: "#", onclick: (event) => { event.preventDefault(); look(node); } },
    h("b", {}, ply || "\u00a0"), h("span", { class: "m" }, name));
  return h("li", { class: node === state.node ? "now" : "", "aria-current": node === state.node && "step", "data-node": node },
    link,
    mark && h("em", { title: t({ "?!": "inaccuracies", "?": "mistakes", "??": "blunders" }[mark]) }, mark),
    value && h("span", { class: "v" }, valueText(value.score, value.bound)),
    time !== undefined && h("span", { class: "t" }, clock(time)),
    comment && h("div", { class: "c" }, comment),
    others.length > 0 && h("div", { class: "forks" }, others.map((other) => h("button", {
      type: "button", class: "fork", onclick: () => look(other),
    }, `↳ ${nameOf(other)}`))));
}

function showList() {
  const nodes = path();
  const all = names(nodes);
  const items = nodes.map((node, ply) => item(node, all[ply], ply));
  const end = state.record.end(nodes[nodes.length - 1]);
  const onMain = nodes.every((node, ply) => ply === 0 || state.record.children(nodes[ply - 1])[0] === node);
  if (end) items.push(h("li", { class: "end" }, h("span", { class: "m" }, t(`end.${end}`, end))));
  const tools = [];
  if (!onMain && !isPlaying()) tools.push(h("button", { type: "button", onclick: toMain }, t("toMain")));
  if (plyOf(state.node) > 0 && !isPlaying()) tools.push(h("button", { type: "button", id: "remove", onclick: () => remove(state.node) }, t("removeFrom")));
  const list = h("div", { class: "list" }, h("ol", { class: "line" }, items));
  byId("moves").replaceChildren(h("h2", {}, t("moves")), list,
    nodes.length === 1 ? h("p", { class: "hint" }, isPlaying() ? "" : t("noMoves")) : h("p", { class: "row" }, tools));
  reveal(list);
}

/** Scrolls the list, not the page, to the move shown. */
function reveal(list) {
  const now = list.querySelector(".now");
  if (now) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
}

function toMain() {
  let node = state.node;
  let fork = node;
  for (let up = state.record.parent(node); up !== undefined; up = state.record.parent(node)) {
    if (state.record.children(up)[0] !== node) fork = up;
    node = up;
  }
  go(fork);
}

/** Shows the move, its comment, and a better move beside a marked one. */
function showNote() {
  const { node, record } = state;
  const parts = [h("p", {}, h("b", {}, plyOf(node) || ""), " ", h("span", { class: "a" }, nameOf(node)), " ",
    state.marks.has(node) && h("span", { class: "em" }, state.marks.get(node)))];
  const before = state.values.get(record.parent(node));
  if (state.marks.has(node) && before?.line.length) {
    const better = withPosition(record.parent(node), (there) => moveName(there, before.line[0]));
    parts.push(h("p", { class: "better" }, t("better", ""), h("button", {
      type: "button", onclick: () => { go(record.parent(node)); set({ ahead: before.line.slice(0, 1) }); },
    }, better)));
  }
  if (state.ahead.length) {
    parts.push(h("p", { class: "row" }, t("ahead", state.ahead.length, state.ahead.length), " ",
      h("button", { type: "button", id: "keep-line", onclick: () => playLine(state.ahead) }, t("keepLine")),
      h("button", { type: "button", onclick: () => set({ ahead: [] }) }, t("leaveLine"))));
  }
  const comment = record.comment(node);
  const field = h("textarea", { id: "comment", rows: 1, "aria-label": t("comment"), placeholder: t("addComment"),
    onchange: (event) => setComment(node, event.target.value) });
  field.value = comment ?? "";
  parts.push(field);
  byId("note").replaceChildren(...parts);
}

/** Returns the arrows of the board: of the running analysis, or of a marked move. */
function arrows() {
  if (!state.arrows || state.ahead.length) return [];
  const { analysis } = state;
  if (analysis?.node === state.node) {
    return analysis.report.lines.filter((line) => line.moves.length)
      .map((line, index) => ({ move: line.moves[0], kind: index ? "minor" : "good" })).reverse();
  }
  const value = state.values.get(state.node);
  return value?.line.length ? [{ move: value.line[0], kind: "good" }] : [];
}

export function startMoves() {
  const shown = ["node", "revision", "record", "ahead", "analysis", "arrows", "values", "notation"];
  registerBoard("study", shown, () => ({
    position: shownPosition(),
    lastMove: state.ahead.at(-1) ?? state.record.move(state.node),
    arrows: arrows(),
    move: state.ahead.length ? (usi) => playLine([...state.ahead, usi]) : play,
  }));
  registerKey("study", "Escape", () => set({ ahead: [] }));
  const line = () => {
    const nodes = path();
    const at = nodes.indexOf(state.node);
    return { at, last: nodes.length - 1, go: (index) => go(nodes[index]), name: nameOf(state.node) };
  };
  registerLine("study", ["node", "revision", "record"], line);
  registerLine("play", ["node", "revision", "record", "play"], () => (state.play?.over ? line() : null));
  watch(["node", "revision", "record", "values", "marks", "play", "mode", "language", "notation"], showList);
  watch(["node", "revision", "record", "marks", "values", "ahead", "language", "notation"], showNote);
  watch(["record", "revision", "flipped", "language", "mode"], showPlayers);
}
