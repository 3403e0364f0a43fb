// The one board of the page: what it shows in each mode, and whose rules a move obeys.

import { BoardInput } from "./board_input.js";
import { BoardView } from "./board_view.js";
import { byId, dialogue, h, say } from "./dom.js";
import { kindName, notation, pieceName, pieces, reason, squareName, t } from "./i18n.js";
import { flipKey, state, watch } from "./state.js";

const KANJI = { P: "歩", L: "香", N: "桂", S: "銀", B: "角", R: "飛" };
const PROMOTED = { P: "と", L: "杏", N: "圭", S: "全", B: "馬", R: "龍" };

const sources = {};
let view;
let input;
// What the board shows now; its position lives until the board is drawn again.
let source = {};
let shownKey = "";

/**
 * Registers what the board shows in a mode: a function that returns
 * - `position`: a `Position`, or `setup`: { svg(options), pieceAt(at), hands } of a position being edited,
 * - `lastMove`, `arrows`, `heading` (of the side to move) as options of the picture,
 * - `move(usi)`: plays a legal move; absent if the board is only looked at,
 * - `input`: rules of its own instead of those of the game.
 */
export function registerBoard(mode, keys, source) {
  sources[mode] = source;
  watch(keys, () => state.mode === mode && show());
}

export function startBoard() {
  view = new BoardView(byId("picture"), label);
  input = new BoardInput(view, () => source.input ?? game);
  const narrow = matchMedia("(max-width: 40rem)");
  narrow.addEventListener("change", show);
  watch(["mode", "language", "pieces", "flipped", "tsumeFlipped"], show);
}

function show() {
  source = sources[state.mode]?.() ?? {};
  const shown = source.setup ?? source.position;
  if (!shown) return;
  // New arrows of a running analysis leave a piece in the hand that holds it.
  const key = `${state.mode} ${shown.sfen}`;
  if (key !== shownKey) input.pick(null);
  shownKey = key;
  const svg = shown.svg({
    flipped: state[flipKey()],
    lastMove: source.lastMove,
    arrows: source.arrows ?? [],
    pieces: pieces(),
    stands: matchMedia("(max-width: 40rem)").matches ? "rows" : "sides",
  });
  const hands = { black: shown.hand("black"), white: shown.hand("white") };
  view.show(svg, hands, state[flipKey()]);
  input.renew();
  view.overlay.setAttribute("aria-label", `${t("board")}. ${t("boardHelp")}`);
  byId("picture").classList.toggle("ahead", state.mode === "study" && state.ahead.length > 0);
}

/** Draws the board again. */
export const redraw = show;

/** The place that is picked up, or null. */
export const pickedPlace = () => input?.picked ?? null;

/** Puts back what is picked up. */
export const putBack = () => input.pick(null);

function label(at) {
  const shown = source.setup ?? source.position;
  if (/^[a-z]$/i.test(at)) {
    const side = at === at.toUpperCase() ? "black" : "white";
    return t("inHand", t(side), kindName(at), view.hands[side][at.toUpperCase()]);
  }
  const piece = shown.pieceAt(at);
  return t("square", squareName(at), piece ? pieceName(piece) : t("empty"));
}

const isHand = (at) => /^[a-z]$/i.test(at);
const isBlack = (piece) => piece === piece.toUpperCase();

/** The rules of the game for the side to move. */
const game = {
  canPick(at) {
    const { position, move } = source;
    if (!move || !position) return false;
    const black = position.turn === "black";
    if (isHand(at)) return isBlack(at) === black;
    const piece = at.length === 2 && position.pieceAt(at);
    return Boolean(piece) && isBlack(piece) === black;
  },
  // Another own piece is picked up instead, unless the move to it would be the answer.
  prefersPick: () => true,
  targets(at) {
    const { position } = source;
    const moves = position.movesFrom(isHand(at) ? `${at.toUpperCase()}*` : at);
    return [...new Set(moves.map((usi) => usi.slice(2, 4)))];
  },
  async drop(from, to) {
    const { position, move } = source;
    if (!to || to.length !== 2) return;
    const usi = (isHand(from) ? `${from.toUpperCase()}*` : from) + to;
    const legal = position.movesFrom(usi.slice(0, 2)).filter((one) => one.slice(0, 4) === usi);
    if (!legal.length) return explain(position, usi);
    if (legal.length === 1) return move(legal[0]);
    const chosen = await askPromotion(position.pieceAt(from), usi);
    if (chosen) move(chosen);
  },
  missed(at) {
    const { position, move } = source;
    if (move && position && (isHand(at) || (at.length === 2 && position.pieceAt(at)))) say(t("yourMove", t(position.turn)));
  },
  changed(at) {
    if (at) byId("spoken").textContent = t("picked", label(at));
  },
};

/** Tells why a move is illegal. */
function explain(position, usi) {
  const why = position.brokenRule(usi);
  const piece = usi[1] === "*" ? usi[0] : position.pieceAt(usi.slice(0, 2));
  const promoting = why?.code === "must-promote" ? position.brokenRule(`${usi}+`) : why;
  const name = `${kindName(piece)} → ${squareName(usi.slice(2, 4))}`;
  say(t("illegal", name, promoting ? reason("bad", promoting) : t("noMove")), "bad");
}

/** Asks whether a piece promotes; resolves to the move, or null if the question is closed. */
function askPromotion(piece, usi) {
  return new Promise((resolve) => {
    let chosen = null;
    const kind = piece.toUpperCase();
    const button = (name, sign, move, promoted) => h("button", {
      type: "button", class: `koma${promoted ? " promoted" : ""}`, onclick: () => { chosen = move; box.close(); },
      autofocus: promoted,
    }, h("span", { "aria-hidden": "true" }, sign), name);
    const sign = (promoted) => (pieces() === "kanji" ? (promoted ? PROMOTED : KANJI)[kind] : (promoted ? "+" : "") + kind);
    const box = dialogue("promotion", t("promotion"), t("close"), h("div", { class: "choices" },
      button(t("promote"), sign(true), `${usi}+`, true), button(t("stay"), sign(false), usi, false)));
    box.addEventListener("close", () => resolve(chosen));
  });
}

/** Returns the name of a move in a position. */
export const moveName = (position, usi) => position.name(usi, notation());
