// The record that is open: its line, its node, and what changes it.

import { halt } from "./engine.js";
import { GameRecord } from "./komadai.js";
import { notation, t } from "./i18n.js";
import { set, state } from "./state.js";

const KEY = "komadai.game";

// The line shown goes through the node to an end; at forks that lie ahead it takes these children.
let preferred = new Map();
let kept = null;

/** Opens a record at its start, and forgets the values of the one before. */
export function openRecord(record, node = record.root) {
  // A search of the old record would ask for nodes that are none any more.
  halt();
  state.record?.free();
  preferred = new Map();
  dropPosition();
  set({
    record, node, revision: state.revision + 1, ahead: [], analysis: null, values: new Map(), marks: new Map(),
    progress: null, mate: null,
  });
}

export const newGame = (sfen) => openRecord(sfen ? new GameRecord(`sfen ${sfen}`) : new GameRecord());

/** Returns the nodes of the line shown, from the start to its end. */
export function path() {
  const { record } = state;
  const nodes = [];
  for (let node = state.node; node !== undefined; node = record.parent(node)) nodes.unshift(node);
  for (;;) {
    const node = nodes[nodes.length - 1];
    const children = record.children(node);
    if (!children.length) return nodes;
    const wanted = preferred.get(node);
    nodes.push(children.includes(wanted) ? wanted : children[0]);
  }
}

/** Returns the number of moves before a node. */
export function plyOf(node) {
  let ply = 0;
  for (let at = state.record.parent(node); at !== undefined; at = state.record.parent(at)) ply += 1;
  return ply;
}

/** Shows a node; the line keeps its end when it is on it. */
export function go(node) {
  const line = path();
  if (line.includes(node)) line.slice(0, -1).forEach((one, index) => preferred.set(one, line[index + 1]));
  set({ node, ahead: [] });
}

/** Shows the position some plies further on the line, or back. */
export function step(plies) {
  const line = path();
  const at = line.indexOf(state.node) + plies;
  go(line[Math.max(0, Math.min(line.length - 1, at))]);
}

/** Returns the position of the node, which belongs to this module: callers do not change it. */
export function position() {
  if (kept?.node !== state.node || kept.revision !== state.revision || kept.record !== state.record) {
    dropPosition();
    const { node, revision, record } = state;
    kept = { node, revision, record, position: record.position(node) };
  }
  return kept.position;
}

function dropPosition() {
  kept?.position.free();
  kept = null;
}

/** Calls a function with the position of a node. */
export function withPosition(node, use) {
  const there = state.record.position(node);
  try {
    return use(there);
  } finally {
    there.free();
  }
}

/** Plays a move at the node: an existing one is followed, another one begins a variation. */
export function play(usi) {
  const node = state.record.add(state.node, usi);
  preferred.set(state.node, node);
  changed();
  set({ node, ahead: [] });
}

/** Adds a line of moves after the node and shows its end. */
export function playLine(moves) {
  let { node } = state;
  for (const usi of moves) {
    const next = state.record.add(node, usi);
    preferred.set(node, next);
    node = next;
  }
  changed();
  set({ node, ahead: [] });
}

/** Deletes a node with all that follows it, and shows the one before. */
export function remove(node) {
  const parent = state.record.parent(node);
  if (parent === undefined) return;
  state.record.remove(node);
  changed();
  set({ node: parent, ahead: [], analysis: null });
}

export function setComment(node, text) {
  state.record.setComment(node, text);
  changed();
}

/** Notes that the record is another than before. */
export function changed() {
  set({ revision: state.revision + 1 });
}

/** Returns the moves to a node. */
export function movesTo(node) {
  const moves = [];
  for (let at = node; state.record.parent(at) !== undefined; at = state.record.parent(at)) moves.unshift(state.record.move(at));
  return moves;
}

/** Returns the names of the moves of a line of nodes; the start has the word for it. */
export function names(nodes) {
  const moves = nodes.slice(1).map((node) => state.record.move(node));
  return [t("start"), ...withPosition(nodes[0], (start) => start.line(moves, notation()))];
}

/** Returns the name of the move of a node. */
export function nameOf(node) {
  const parent = state.record.parent(node);
  if (parent === undefined) return t("start");
  return withPosition(parent, (there) => there.name(state.record.move(node), notation()));
}

/** Keeps the game for the next visit. */
export function keepGame() {
  try {
    const { text } = state.record.text("jkf");
    const play = state.play && !state.play.over ? { side: state.play.side, over: null, hint: null } : null;
    localStorage.setItem(KEY, JSON.stringify({ text, ply: plyOf(state.node), play }));
  } catch {
    // A game that no storage holds is lost with the page.
  }
}

/** Opens the game of the last visit; returns whether there was one. */
export function restoreGame() {
  try {
    const { text, ply, play } = JSON.parse(localStorage.getItem(KEY));
    openRecord(GameRecord.parse(text, { lenient: true }));
    step(ply);
    set({ play });
    return true;
  } catch {
    return false;
  }
}
