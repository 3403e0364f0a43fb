// The reader's language, notation and numbers.

import { state } from "./state.js";
import { handicaps } from "./komadai.js";
import { HANDICAPS, PIECES, TEXTS } from "./texts.js";

/** Returns the language of the page: "en" or "ja". */
export function language() {
  if (state.language !== "auto") return state.language;
  const wanted = navigator.languages.find((name) => /^(ja|en)\b/i.test(name));
  return wanted && wanted.toLowerCase().startsWith("ja") ? "ja" : "en";
}

const choose = (pair) => pair[language() === "ja" ? 1 : 0];

/** Returns a text with its parts filled in. */
export function t(key, ...parts) {
  const pair = TEXTS[key];
  if (!pair) return parts[0] ?? key;
  return choose(pair).replace(/\{(\d)\}/g, (_, index) => parts[index] ?? "");
}

export const notation = () => (state.notation !== "auto" ? state.notation : choose(["western", "japanese"]));
export const pieces = () => (state.pieces !== "auto" ? state.pieces : choose(["letters", "kanji"]));

/** Returns the name of a piece in letters of SFEN: `+P`, `k`. */
export function pieceName(piece) {
  const name = choose(PIECES[piece.toUpperCase()]);
  return t("ofSide", t(piece === piece.toUpperCase() ? "black" : "white"), name);
}

/** Returns the name of a kind of pieces. */
export const kindName = (kind) => choose(PIECES[kind.toUpperCase()]);

/** Returns the name of a square: `7g`, `７七`. */
export function squareName(square) {
  const [file, rank] = [+square[0], square.charCodeAt(1) - 97];
  return choose([square, "１２３４５６７８９"[file - 1] + "一二三四五六七八九"[rank]]);
}

/** Returns the starts as choices: identifier and name. */
export const handicapChoices = () => handicaps().map(({ id, name }) => [id, choose([HANDICAPS[id], name])]);

/** Returns a number with separators, shortened from a million on. */
export function amount(number) {
  const format = new Intl.NumberFormat(language(), number < 1e5 ? {} : { notation: "compact", maximumFractionDigits: 1 });
  return format.format(number);
}

/** Returns a value with its sign, as the graph writes it: `+120`, `−mate 4`. */
export function valueText(score, bound) {
  const positive = score.kind === "mate" ? score.win : score.value >= 0;
  const sign = positive ? "+" : "−";
  const edge = { lower: "≥", upper: "≤" }[bound] ?? "";
  if (score.kind === "mate") return edge + sign + choose([`mate ${score.plies ?? ""}`, `詰 ${score.plies ?? ""}手`]);
  return edge + (score.value === 0 ? "0" : sign + Math.abs(score.value));
}

/** Returns a reason in the reader's language: the library's text in English. */
export const reason = (group, fault) => (fault?.code ? t(`${group}.${fault.code}`, fault.text) : String(fault?.text ?? fault));

/** Returns the text of an error. */
export const errorText = (error) => error?.message ?? String(error);
