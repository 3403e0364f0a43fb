// A position that is being set up: any pieces on any squares. It speaks SFEN and counts the box.

import { checkSfen, svg } from "./komadai.js";

export const KINDS = ["K", "R", "B", "G", "S", "N", "L", "P"];
const COUNTS = { K: 2, R: 2, B: 2, G: 4, S: 4, N: 4, L: 4, P: 18 };
const HAND = "RBGSNLP";
const EMPTY = "9/9/9/9/9/9/9/9/9 b - 1";

export class Setup {
  /** Reads a position in SFEN that the library has accepted, or the empty board. */
  constructor(sfen = EMPTY) {
    this.squares = new Map();
    this.hands = { black: {}, white: {} };
    const [board, turn, hands] = sfen.split(" ");
    this.turn = turn === "w" ? "white" : "black";
    board.split("/").forEach((row, index) => {
      let file = 9;
      for (const cell of row.match(/\d|\+?[A-Za-z]/g) ?? []) {
        if (/\d/.test(cell)) file -= +cell;
        else this.squares.set(`${file--}${"abcdefghi"[index]}`, cell);
      }
    });
    for (const [, count, kind] of hands.matchAll(/(\d*)([A-Za-z])/g)) {
      this.hands[kind === kind.toUpperCase() ? "black" : "white"][kind.toUpperCase()] = +(count || 1);
    }
  }

  copy() {
    return new Setup(this.sfen);
  }

  get sfen() {
    const rows = [..."abcdefghi"].map((rank) => {
      const cells = [9, 8, 7, 6, 5, 4, 3, 2, 1].map((file) => this.squares.get(file + rank) ?? "1");
      return cells.join("").replace(/1+/g, (free) => free.length);
    });
    const held = (side) => [...HAND].filter((kind) => this.hands[side][kind] > 0).map((kind) => {
      const count = this.hands[side][kind];
      return (count > 1 ? count : "") + (side === "black" ? kind : kind.toLowerCase());
    });
    const hands = [...held("black"), ...held("white")].join("") || "-";
    return `${rows.join("/")} ${this.turn[0]} ${hands} 1`;
  }

  /** Returns what is wrong with it: a code and a text; undefined if a game can start there. */
  get fault() {
    return checkSfen(this.sfen);
  }

  // The parts of a position that the board shows.
  svg(options) {
    return svg(this.sfen, options);
  }

  pieceAt(square) {
    return this.squares.get(square);
  }

  hand(side) {
    return this.hands[side];
  }

  /** Returns how many pieces of a kind are neither on the board nor in a hand. */
  inBox(kind) {
    const used = [...this.squares.values()].filter((piece) => piece.toUpperCase().replace("+", "") === kind).length;
    return COUNTS[kind] - used - (this.hands.black[kind] ?? 0) - (this.hands.white[kind] ?? 0);
  }

  /** Takes a piece from a square, a hand (`P`, `p`) or the box (`box P`); returns its letters. */
  take(at, side) {
    if (at.startsWith("box ")) return side === "black" ? at[4] : at[4].toLowerCase();
    if (at.length === 2) {
      const piece = this.squares.get(at);
      this.squares.delete(at);
      return piece;
    }
    this.hands[at === at.toUpperCase() ? "black" : "white"][at.toUpperCase()] -= 1;
    return at;
  }

  /** Puts a piece on a square, to a side's hand, or in the box; a piece on the square goes to the box. */
  put(piece, to) {
    const kind = piece.toUpperCase().replace("+", "");
    if (to === "black" || to === "white") {
      if (kind !== "K") this.hands[to][kind] = (this.hands[to][kind] ?? 0) + 1;
    } else if (to) {
      this.squares.set(to, piece);
    }
  }

  /** Promotes the piece of a square, then turns it, then back: 歩 → と → 歩 of the other side. */
  cycle(square) {
    const piece = this.squares.get(square);
    const plain = piece.replace("+", "");
    const other = plain === plain.toUpperCase() ? plain.toLowerCase() : plain.toUpperCase();
    const promotes = !"KGkg".includes(plain);
    this.squares.set(square, promotes && !piece.startsWith("+") ? `+${plain}` : other);
  }

  /** Gives all pieces of the box to White, as in tsume; kings stay in the box. */
  giveRest() {
    for (const kind of HAND) this.hands.white[kind] = (this.hands.white[kind] ?? 0) + Math.max(0, this.inBox(kind));
  }
}
