// A game against the engine. It is played in the record, so that it can be analysed and saved.

import { searched } from "./analysis.js";
import { moveName, registerBoard } from "./board.js";
import { byId, choice, h, say } from "./dom.js";
import { halt, run } from "./engine.js";
import { go, newGame, play as playMove, position, remove } from "./game.js";
import { handicaps } from "./komadai.js";
import { handicapChoices, t } from "./i18n.js";
import { set, state, watch } from "./state.js";

function begin() {
  const side = state.side === "random" ? (Math.random() < 0.5 ? "black" : "white") : state.side;
  const start = state.handicap === "here" ? position().sfen : handicaps().find(({ id }) => id === state.handicap)?.sfen;
  newGame(start);
  state.record.setHeader("black", side === "black" ? t("you") : engineName());
  state.record.setHeader("white", side === "white" ? t("you") : engineName());
  set({ play: { side, over: null, hint: null }, flipped: side === "white", revision: state.revision + 1 });
  next();
}

const engineName = () => `komadai ${+state.level ? t("levelOf", state.level) : t("fullStrength")}`;

/** Ends the game, or lets the engine move if it is its turn. */
function next() {
  const game = state.play;
  const over = position().outcome();
  if (over) {
    set({ play: { ...game, over, hint: null } });
    return;
  }
  if (position().turn === game.side) return;
  const { node } = state;
  const limits = +state.level ? { level: +state.level } : { time: 1000 * state.seconds };
  run(async (engine, token) => {
    token.stop = () => engine.stop();
    const answer = await engine.play(searched(node), limits);
    if (token.stopped || state.play !== game || state.node !== node) return;
    if (answer === "resign" || answer === "win") return end(answer === "win" ? other(game.side) : game.side, answer === "win" ? "declaration" : "resignation");
    playMove(answer);
    next();
  });
}

const other = (side) => (side === "black" ? "white" : "black");

function end(winner, reason) {
  halt();
  set({ play: { ...state.play, over: { winner, reason }, hint: null } });
}

function move(usi) {
  playMove(usi);
  set({ play: { ...state.play, hint: null } });
  next();
}

/** Takes back the last move of the reader, and the answer to it. */
function takeBack() {
  const game = state.play;
  halt();
  const back = position().turn === game.side ? 2 : 1;
  let node = state.node;
  for (let count = 0; count < back; count++) {
    const parent = state.record.parent(node);
    if (parent === undefined) break;
    remove(node);
    node = parent;
  }
  go(node);
  set({ play: { ...game, over: null, hint: null } });
  next();
}

function hint() {
  const { node } = state;
  const game = state.play;
  run(async (engine, token) => {
    const search = engine.analyse(searched(node), { time: 1000, multipv: 1 });
    token.stop = () => search.stop();
    const report = await search.result;
    const best = report.lines[0]?.moves[0];
    if (!best || token.stopped || state.play !== game) return;
    set({ play: { ...game, hint: { node, move: best } } });
    say(t("hintMove", moveName(position(), best)));
  });
}

function form() {
  const sides = ["black", "white", "random"].map((side) => [side, t(side)]);
  const levels = [...Array(10).keys()].map((index) => [index + 1, t("levelOf", index + 1)]);
  const starts = [...handicapChoices(), ["here", t("fromHere")]];
  const known = starts.some(([id]) => id === state.handicap) ? state.handicap : starts[0][0];
  return [
    h("h2", {}, t("play")),
    h("div", { class: "fields" },
      choice("side", t("yourSide"), sides, state.side, (side) => set({ side })),
      choice("level", t("level"), [...levels, [0, t("fullStrength")]], state.level, (level) => set({ level: +level })),
      +state.level === 0 && choice("seconds", t("thinkTime"), [1, 2, 5, 10, 30].map((n) => [n, n]), state.seconds, (seconds) => set({ seconds: +seconds })),
      choice("handicap", t("handicap"), starts, known, (handicap) => set({ handicap }))),
    h("p", {}, h("button", { type: "button", id: "begin", class: "main", onclick: begin }, t("begin"))),
  ];
}

function table() {
  const { side, over } = state.play;
  if (over) {
    const result = over.winner ? t(over.winner === side ? "youWin" : "youLose") : t("draw");
    return [
      h("h2", {}, t("play")),
      h("p", { class: "verdict", role: "status" }, t("because", result, t(`by.${over.reason}`, over.reason))),
      h("div", { class: "row" },
        h("button", { type: "button", id: "again", class: "main", onclick: () => set({ play: null }) }, t("again")),
        h("button", { type: "button", id: "review", onclick: () => set({ mode: "study" }) }, t("review")),
        h("button", { type: "button", onclick: takeBack }, t("takeBack"))),
    ];
  }
  const mine = position().turn === side;
  return [
    h("h2", {}, engineName()),
    h("p", { class: "verdict", role: "status" }, t(mine ? "yourTurn" : "engineTurn")),
    h("div", { class: "row" },
      h("button", { type: "button", id: "take-back", disabled: state.record.parent(state.node) === undefined, onclick: takeBack }, t("takeBack")),
      h("button", { type: "button", id: "hint", disabled: !mine, onclick: hint }, t("hint")),
      h("button", { type: "button", id: "resign", onclick: () => end(other(side), "resignation") }, t("resign"))),
  ];
}

export function startPlay() {
  watch(["play", "node", "language", "level", "mode"], () => byId("play").replaceChildren(...(state.play ? table() : form()).flat().filter(Boolean)));
  registerBoard("play", ["node", "revision", "record", "play"], () => {
    const game = state.play;
    const mine = game && !game.over && position().turn === game.side;
    return {
      position: position(),
      lastMove: state.record.move(state.node),
      arrows: game?.hint?.node === state.node ? [{ move: game.hint.move, kind: "good" }] : [],
      move: mine ? move : undefined,
    };
  });
  // Another record, or another mode, ends the game.
  watch(["record"], () => state.play && !state.record.headers.black && set({ play: null }));
  watch(["mode"], () => {
    if (state.mode !== "play" && state.play && !state.play.over) halt();
    else if (state.mode === "play" && state.play && !state.play.over) next();
  });
}
