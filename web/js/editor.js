// The editor of positions.

import { pickedPlace, putBack, registerBoard } from "./board.js";
import { byId, choice, h } from "./dom.js";
import { KINDS, Setup } from "./editor_setup.js";
import { newGame, position } from "./game.js";
import { handicapChoices, kindName, pieces, reason, t } from "./i18n.js";
import { checkSfen, handicaps } from "./komadai.js";
import { searchMate } from "./mate.js";
import { set, state, watch } from "./state.js";

const KANJI = { K: "玉", R: "飛", B: "角", G: "金", S: "銀", N: "桂", L: "香", P: "歩" };

// The kind that was picked from the box, and the side for which it is placed.
let boxed = null;
let side = "black";
let before = null;

/** Changes the position by a function of a copy. */
function change(action) {
  const setup = state.edit.copy();
  action(setup);
  set({ edit: setup });
}

const rules = {
  canPick: (at) => (at.length === 2 ? Boolean(state.edit.pieceAt(at)) : at !== "black" && at !== "white") && !boxed,
  prefersPick: () => false,
  targets: () => [],
  drop(from, to) {
    const place = /^[a-z]$/i.test(to ?? "") ? (to === to.toUpperCase() ? "black" : "white") : to;
    change((setup) => setup.put(setup.take(from, side), place));
  },
  again: (at) => at.length === 2 && change((setup) => setup.cycle(at)),
  // A place is pressed while no piece of the board is held: the piece from the box goes there.
  missed(at) {
    if (!boxed) return;
    rules.drop(`box ${boxed}`, at);
    if (!state.edit.inBox(boxed)) boxed = null;
  },
  changed: () => {},
};

function pickFromBox(kind) {
  boxed = boxed === kind ? null : kind;
  if (pickedPlace()) putBack();
  show();
}

/** Puts the piece that is picked up back into the box. */
function discard() {
  const at = pickedPlace();
  if (!at) return;
  putBack();
  change((setup) => setup.take(at, side));
}

function use(mode) {
  newGame(state.edit.sfen);
  set({ mode, play: null });
}

function show() {
  const { edit } = state;
  const { fault } = edit;
  const box = KINDS.map((kind) => h("button", {
    type: "button", class: "koma", "data-kind": kind, "aria-pressed": String(boxed === kind), disabled: edit.inBox(kind) < 1,
    "aria-label": `${kindName(kind)} ×${Math.max(0, edit.inBox(kind))}`, onclick: () => pickFromBox(kind),
  }, h("span", {}, pieces() === "kanji" ? KANJI[kind] : kind), h("small", {}, `×${Math.max(0, edit.inBox(kind))}`)));
  const sides = ["black", "white"].map((one) => [one, t(one)]);
  const sfen = h("input", { id: "sfen", type: "text", value: edit.sfen, spellcheck: "false", "aria-label": "SFEN", onchange: readSfen });
  byId("edit").replaceChildren(
    h("h2", {}, t("box")), h("p", { class: "hint" }, t("boxHelp")), h("div", { class: "box" }, box),
    h("div", { class: "fields" },
      choice("box-side", t("placeFor"), sides, side, (one) => { side = one; }),
      choice("turn", t("sideToMove"), sides, edit.turn, (turn) => change((setup) => { setup.turn = turn; }))),
    h("div", { class: "row" },
      h("button", { type: "button", id: "discard", onclick: discard }, t("toBox")),
      h("button", { type: "button", id: "clear", onclick: () => set({ edit: new Setup() }) }, t("clear")),
      h("button", { type: "button", id: "tsume-set", onclick: () => change((setup) => setup.giveRest()) }, t("tsumeSet"))),
    h("div", { class: "fields" }, choice("start-from", t("handicap"), [["", "–"], ...handicapChoices()], "",
      (id) => id && set({ edit: new Setup(handicaps().find((one) => one.id === id).sfen) }))),
    h("label", { class: "whole" }, "SFEN ", sfen),
    h("p", { id: "verdict", class: fault ? "verdict wrong" : "verdict right", role: "status" }, fault ? t("invalid", reason("set", fault)) : t("valid")),
    h("div", { class: "row" },
      h("button", { type: "button", id: "use", class: "main", disabled: Boolean(fault), onclick: () => use("study") }, t("useIt")),
      h("button", { type: "button", id: "play-it", disabled: Boolean(fault), onclick: () => { set({ handicap: "here" }); use("play"); } }, t("playIt")),
      h("button", { type: "button", id: "solve-it", disabled: Boolean(fault), onclick: () => { use("study"); searchMate(); } }, t("solveIt"))));
}

/** Takes a position that was typed, if it can be read. */
function readSfen(event) {
  const text = event.target.value.trim().replace(/^(position )?sfen /, "");
  const fault = checkSfen(text);
  if (fault?.code !== "sfen") return set({ edit: new Setup(text) });
  byId("verdict").className = "verdict wrong";
  byId("verdict").textContent = t("cannotRead", fault.text);
  return undefined;
}

/** Takes a position in SFEN that a game cannot start from. */
export function loadSetup(sfen) {
  before = "edit";
  set({ edit: new Setup(sfen) });
}

export function startEditor() {
  set({ edit: new Setup(position().sfen) });
  // The editor begins with the position that was shown.
  before = state.mode;
  watch(["mode"], () => {
    if (state.mode === "edit" && before !== "edit") set({ edit: new Setup(position().sfen) });
    before = state.mode;
  });
  registerBoard("edit", ["edit"], () => ({ setup: state.edit, input: rules }));
  watch(["edit", "language", "pieces"], () => state.edit && show());
}
