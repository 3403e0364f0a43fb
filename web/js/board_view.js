// The picture of a board, drawn by the library, and what lies over it: places that can be pressed,
// the cursor, what is picked up and where it may go. The picture itself tells where things are.

import { picture } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const HAND = "RBGSNLP";

/** Returns an element of the overlay. */
function draw(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

export class BoardView {
  /** A view in an element of the page. `label(at)` names a place for those who do not see it. */
  constructor(holder, label) {
    this.holder = holder;
    this.label = label;
    this.overlay = draw("svg", { class: "kd over", role: "group" });
    this.marks = draw("g", { "aria-hidden": "true" });
    this.places = draw("g", {});
    this.held = draw("g", { "aria-hidden": "true", class: "held" });
    this.overlay.append(this.marks, this.places, this.held);
    this.cursor = "5i";
  }

  /** Shows a picture; `hands` has the numbers of pieces of both sides by kind. */
  show(svg, hands, flipped) {
    this.hands = hands;
    this.flipped = flipped;
    this.picture?.remove();
    this.picture = picture(svg);
    // The places above the picture have names, which its own one would repeat as a tooltip.
    this.picture.querySelector("title").remove();
    this.picture.setAttribute("aria-hidden", "true");
    this.holder.prepend(this.picture);
    this.overlay.setAttribute("viewBox", this.picture.getAttribute("viewBox"));
    if (!this.overlay.isConnected) this.holder.append(this.overlay);
    this.measure();
    this.place();
  }

  measure() {
    const box = (element) => ["x", "y", "width", "height"].map((name) => +element.getAttribute(name));
    this.frame = box(this.picture.querySelector(".kd-frame"));
    this.stands = [...this.picture.querySelectorAll(".kd-stand")].map(box);
    this.pieces = [...this.picture.querySelectorAll("g.kd-piece")].map((element) => {
      const [, x, y] = element.getAttribute("transform").match(/translate\((\S+) (\S+?)\)/);
      return { element, x: +x, y: +y };
    });
  }

  /** Returns x, y, width and height of a place: a square `7g`, a kind in hand `P` or `p`, or a stand `black`, `white`. */
  box(at) {
    const [left, top, width, height] = this.frame;
    if (at === "black" || at === "white") return this.stands[at === "black" ? 0 : 1];
    if (at.length === 2) {
      let [file, rank] = [+at[0], at.charCodeAt(1) - 96];
      if (this.flipped) [file, rank] = [10 - file, 10 - rank];
      return [left + ((9 - file) * width) / 9, top + ((rank - 1) * height) / 9, width / 9, height / 9];
    }
    const black = at === at.toUpperCase();
    const stand = this.stands[black ? 0 : 1];
    const inside = this.pieces.filter(({ x, y }) => x > stand[0] && x < stand[0] + stand[2] && y > stand[1] && y < stand[1] + stand[3]);
    const piece = inside[this.kinds(black).indexOf(at.toUpperCase())];
    return [piece.x - 21, piece.y - 22, stand[2] > stand[3] ? 45 : 64, 44];
  }

  /** Returns the kinds that a side holds, in the order of its stand. */
  kinds(black) {
    const hand = this.hands[black ? "black" : "white"];
    return [...HAND].filter((kind) => hand[kind] > 0);
  }

  /** Returns all places that can be pressed. */
  all() {
    const squares = [];
    for (const rank of "abcdefghi") for (let file = 9; file > 0; file--) squares.push(file + rank);
    return [...squares, ...this.kinds(true), ...this.kinds(false).map((kind) => kind.toLowerCase())];
  }

  /** Makes a target for pointers and the keyboard of each place, and keeps the focus. */
  place() {
    const focused = this.overlay.contains(document.activeElement);
    const wanted = this.all();
    if (!wanted.includes(this.cursor)) this.cursor = "5i";
    const stands = ["black", "white"].map((side) => this.target(side, { class: "stand", "aria-hidden": "true" }));
    const places = wanted.map((at) => this.target(at, {
      class: "place", role: "button", tabindex: at === this.cursor ? 0 : -1, "aria-label": this.label(at),
    }));
    this.places.replaceChildren(...stands, ...places);
    if (focused) this.focus(this.cursor);
  }

  target(at, attributes) {
    const [x, y, width, height] = this.box(at);
    return draw("rect", { "data-at": at, x, y, width, height, ...attributes });
  }

  /** Moves the cursor of the keyboard. */
  focus(at) {
    const place = (name) => this.places.querySelector(`.place[data-at="${name}"]`);
    place(this.cursor)?.setAttribute("tabindex", "-1");
    this.cursor = at;
    place(at).setAttribute("tabindex", "0");
    place(at).focus({ preventScroll: true });
  }

  /** Returns the nearest place in a direction, or the same one. */
  neighbour(at, [dx, dy]) {
    const center = (name) => {
      const [x, y, width, height] = this.box(name);
      return [x + width / 2, y + height / 2];
    };
    const [x, y] = center(at);
    let best = [Infinity, at];
    for (const other of this.all()) {
      const [toX, toY] = center(other);
      const along = (toX - x) * dx + (toY - y) * dy;
      if (along < 5) continue;
      const across = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
      best = [[along + 3 * across, other], best].sort((one, two) => one[0] - two[0])[0];
    }
    return best[1];
  }

  /** Marks what is picked up, and where it may go. */
  mark(picked, targets) {
    const box = (at, name) => {
      const [x, y, width, height] = this.box(at);
      return draw("rect", { class: name, x: x + 1, y: y + 1, width: width - 2, height: height - 2, rx: 4 });
    };
    const dots = targets.map((at) => {
      const [x, y, width, height] = this.box(at);
      return draw("circle", { class: "target", cx: x + width / 2, cy: y + height / 2, r: 6 });
    });
    this.marks.replaceChildren(...(picked ? [box(picked, "picked")] : []), ...dots);
  }

  /** Returns the point of the picture under a pointer. */
  point(event) {
    const matrix = this.overlay.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [x, y];
  }

  /** Returns the place under a pointer: a square, a kind in hand, a stand, or null. */
  at([x, y]) {
    const within = (at) => {
      const [left, top, width, height] = this.box(at);
      return x >= left && x < left + width && y >= top && y < top + height;
    };
    return this.all().find(within) ?? ["black", "white"].find(within) ?? null;
  }

  /** Lets the piece of a place follow a pointer; without a point it goes back. */
  drag(at, point) {
    this.picture.querySelector(".away")?.classList.remove("away");
    if (!point) return this.held.replaceChildren();
    const [x, y, width, height] = this.box(at);
    const piece = this.pieces.find((one) => one.x > x && one.x < x + width && one.y > y && one.y < y + height);
    if (!piece) return undefined;
    if (!/^[a-z]$/i.test(at)) piece.element.classList.add("away");
    const copy = piece.element.cloneNode(true);
    copy.classList.remove("away");
    copy.setAttribute("transform", copy.getAttribute("transform").replace(/translate\([^)]*\)/, `translate(${point[0]} ${point[1]})`));
    return this.held.replaceChildren(copy);
  }
}
