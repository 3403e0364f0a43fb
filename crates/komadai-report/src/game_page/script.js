
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const board = byId("board");
  const picture = board.querySelector("svg");
  const stars = picture.querySelector(".kd-stars");
  const words = picture.querySelector("desc");
  const kanji = board.dataset.pieces === "kanji";
  const slider = byId("slider");
  const note = byId("note");
  const plot = document.querySelector(".kg-plot");
  const cursor = document.querySelector(".kg-cursor");

  // Every item with a position is a node; its parent is the item before it or the one its list leaves.
  const parents = new Map();
  for (const list of all("ol.line")) {
    let last = list.dataset.p ? byId(list.dataset.p) : null;
    for (const item of list.children) {
      if (item.dataset.s === undefined || (last && last.dataset.s === undefined)) break;
      parents.set(item, last);
      last = item;
    }
  }
  const game = pathFrom(byId("n0"));
  let path = game;
  let at = 0;
  let flipped = false;
  // The number of moves of the expected line that the board shows, 0 for none.
  let ahead = 0;
  let timer = 0;

  // All items from the start through this one to the end of its list.
  function pathFrom(item) {
    const path = [];
    for (let node = item; node; node = parents.get(node)) path.unshift(node);
    for (let next = item.nextElementSibling; parents.has(next); next = next.nextElementSibling) {
      path.push(next);
    }
    return path;
  }

  // The lengths are those of the picture without script.
  const KOMA = '<path d="M0-21 13-15 17.5 20.5H-17.5L-13-15z"></path>';
  const SCALES = { K: "1", R: ".97", B: ".97", G: ".93", S: ".93", N: ".89", L: ".89", P: ".85" };
  const NAMES = { P: "歩", L: "香", N: "桂", S: "銀", B: "角", R: "飛", G: "金", K: "玉" };
  const PROMOTED = { P: "と", L: "杏", N: "圭", S: "全", B: "馬", R: "龍" };
  const RANKS = "一二三四五六七八九";
  const HANDS = "RBGSNLP";

  function center(file, rank) {
    if (flipped) [file, rank] = [10 - file, 10 - rank];
    return [118 + (9 - file) * 44 + 22, 34 + (rank - 1) * 48 + 24];
  }

  function drawPiece(kind, promoted, black, x, y) {
    const below = black !== flipped;
    const turn = below ? "" : "rotate(180)";
    const name = promoted ? PROMOTED[kind] : NAMES[kind];
    const letters = (promoted ? "+" : "") + kind;
    const start = `<g class="kd-piece${promoted ? " kd-promoted" : ""}" transform="translate(${x} ${y})scale(${SCALES[kind]})`;
    return kanji
      ? `${start}${turn}">${KOMA}<text y="11">${name}</text></g>`
      : `${start}"><g transform="${turn || "scale(1)"}">${KOMA}</g><text class="kd-letter" y="${below ? 10 : 6}">${letters}</text></g>`;
  }

  function drawLabels() {
    let text = "";
    for (let index = 1; index < 10; index++) {
      const [x, y] = center(index, index);
      const rank = kanji ? RANKS[index - 1] : "abcdefghi"[index - 1];
      text += `<text x="${x}" y="24">${index}</text><text x="529" y="${y + 5}">${rank}</text>`;
    }
    return `<g class="kd-label">${text}</g>`;
  }

  function drawMark(move) {
    const square = (text) => center(+text[0], text.charCodeAt(1) - 96);
    const [x, y] = square(move.slice(2));
    const [left, top] = [x - 20, y - 22];
    const [right, bottom] = [left + 40, top + 44];
    let text = `<rect class="kd-tint" x="${left}" y="${top}" width="40" height="44"></rect>`;
    text += `<path class="kd-mark" d="M${left} ${top + 9}v-9h9M${right - 9} ${top}h9v9M${right} ${bottom - 9}v9h-9M${left + 9} ${bottom}h-9v-9"></path>`;
    if (move[1] !== "*") {
      const [fromX, fromY] = square(move);
      text += `<circle class="kd-mark" cx="${fromX}" cy="${fromY}" r="7"></circle>`;
    }
    return text;
  }

  function drawBoard(ranks) {
    const pieces = new Map();
    ranks.split("/").forEach((row, index) => {
      let file = 9;
      let promoted = false;
      for (const c of row) {
        if (c === "+") {
          promoted = true;
        } else if (c >= "1" && c <= "9") {
          file -= +c;
        } else {
          const kind = c.toUpperCase();
          pieces.set(file * 9 + index, drawPiece(kind, promoted, c === kind, ...center(file, index + 1)));
          file -= 1;
          promoted = false;
        }
      }
    });
    return [...pieces].sort((one, other) => one[0] - other[0]).map((piece) => piece[1]).join("");
  }

  function drawStand(black, hands, toMove) {
    const [x, y] = black !== flipped ? [540, 134] : [14, 34];
    const side = kanji ? (black ? "先手" : "後手") : black ? "Black" : "White";
    let text = `<rect class="kd-stand" x="${x}" y="${y}" width="90" height="332" rx="4"></rect>`;
    if (toMove) text += `<path class="kd-turn" d="M${x + 7} ${y + 11}l9 6-9 6z"></path>`;
    text += `<path class="kd-icon${black ? " kd-black" : ""}" transform="translate(${x + 28} ${y + 17})" d="M0-8 5-5 7 7H-7L-5-5z"></path>`;
    text += `<text class="kd-name" x="${x + 40}" y="${y + 22}">${side}</text>`;
    let row = 0;
    for (const kind of HANDS) {
      const letter = black ? kind : kind.toLowerCase();
      const found = hands.match(new RegExp(`(\\d*)${letter}`));
      if (!found) continue;
      const [pieceX, pieceY] = [x + 32, y + 32 + 42 * row + 23];
      text += drawPiece(kind, false, black, pieceX, pieceY);
      if (found[1]) text += `<text class="kd-count" x="${pieceX + 22}" y="${pieceY + 6}">×${found[1]}</text>`;
      row += 1;
    }
    if (row === 0) {
      text += `<text class="kd-none" x="${x + 45}" y="${y + 54}">${kanji ? "なし" : "no pieces"}</text>`;
    }
    return text;
  }

  // The place from which a piece of this kind is dropped.
  function stand(black, hands, kind) {
    const [x, y] = black !== flipped ? [540, 134] : [14, 34];
    const held = [...HANDS].filter((other) => hands.includes(black ? other : other.toLowerCase()));
    return [x + 32, y + 32 + 42 * Math.max(0, held.indexOf(kind)) + 23];
  }

  // An arrow of the side that has just moved.
  function drawArrow(move, kind, side, hands) {
    const square = (text) => center(+text[0], text.charCodeAt(1) - 96);
    const [x, y] = move[1] === "*" ? stand(side === "w", hands, move[0]) : square(move);
    const [endX, endY] = square(move.slice(2));
    const length = Math.hypot(endX - x, endY - y);
    const turn = (Math.atan2(endY - y, endX - x) * 180) / Math.PI;
    const neck = (length - 18).toFixed(1);
    const shape = `M8-4H${neck}V-10L${length.toFixed(1)} 0 ${neck} 10V4H8z`;
    return `<path class="kd-arrow kd-arrow-${kind}" transform="translate(${x} ${y})rotate(${turn.toFixed(1)})" d="${shape}"></path>`;
  }

  function draw(sfen, move, better, text) {
    const [ranks, side, hands] = sfen.split(" ");
    while (stars.nextSibling) stars.nextSibling.remove();
    const mark = move ? drawMark(move) : "";
    const stands = drawStand(true, hands, side === "b") + drawStand(false, hands, side === "w");
    const arrows = better ? drawArrow(move, "bad", side, hands) + drawArrow(better, "good", side, hands) : "";
    stars.insertAdjacentHTML("afterend", drawLabels() + mark + drawBoard(ranks) + stands + arrows);
    words.textContent = `${text} ${sfen}`;
  }

  // The position after a move, both as texts.
  function after(sfen, move) {
    const [ranks, side, hands] = sfen.split(" ");
    const squares = ranks.split("/").map((row) => {
      const cells = [];
      for (const cell of row.match(/\d|\+?[A-Za-z]/g)) {
        if (cell >= "1" && cell <= "9") cells.push(...Array(+cell).fill(""));
        else cells.push(cell);
      }
      return cells;
    });
    const held = {};
    for (const [, count, kind] of hands.matchAll(/(\d*)([A-Za-z])/g)) held[kind] = +(count || 1);
    const mine = (kind) => (side === "b" ? kind.toUpperCase() : kind.toLowerCase());
    const place = (text) => [text.charCodeAt(1) - 97, 9 - text[0]];
    const [rank, column] = place(move.slice(2));
    let piece;
    if (move[1] === "*") {
      piece = mine(move[0]);
      held[piece] -= 1;
    } else {
      const [fromRank, fromColumn] = place(move);
      piece = squares[fromRank][fromColumn] + "";
      squares[fromRank][fromColumn] = "";
      if (move[4] === "+") piece = `+${piece}`;
      const taken = squares[rank][column];
      if (taken) held[mine(taken.slice(-1))] = (held[mine(taken.slice(-1))] || 0) + 1;
    }
    squares[rank][column] = piece;
    const rows = squares.map((cells) => cells.map((cell) => cell || "1").join(""));
    const text = [...HANDS].flatMap((kind) => [kind, kind.toLowerCase()]);
    const left = text.filter((kind) => held[kind] > 0);
    const white = (kind) => kind === kind.toLowerCase();
    left.sort((one, other) => white(one) - white(other));
    const hand = left.map((kind) => (held[kind] > 1 ? held[kind] : "") + kind).join("") || "-";
    return `${rows.join("/")} ${side === "b" ? "w" : "b"} ${hand}`;
  }

  // The moves of the expected line below the board.
  const expected = () => [...note.querySelectorAll(".pv a")];

  // Shows the position after so many moves of the expected line.
  function look(count) {
    const item = path[at];
    const moves = expected();
    ahead = Math.max(0, Math.min(moves.length, count));
    let sfen = item.dataset.s;
    for (const link of moves.slice(0, ahead)) sfen = after(sfen, link.dataset.m);
    const last = ahead ? moves[ahead - 1] : null;
    if (last) draw(sfen, last.dataset.m, "", last.textContent);
    else draw(sfen, item.dataset.m, item.dataset.g, item.querySelector("a").textContent);
    for (const link of moves) link.classList.toggle("now", link === last);
    board.classList.toggle("ahead", ahead > 0);
    byId("copy-sfen").dataset.sfen = ahead ? `${sfen} ${at + 1 + ahead}` : `${sfen} ${+item.querySelector("b").textContent + 1}`;
  }

  function reveal(item) {
    const list = item.closest(".list");
    const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
    if (inner.top < outer.top) list.scrollTop += inner.top - outer.top - 8;
    if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 8;
  }

  function show() {
    const item = path[at];
    for (const old of all("li.now")) {
      old.classList.remove("now");
      old.removeAttribute("aria-current");
    }
    item.classList.add("now");
    item.setAttribute("aria-current", "step");
    reveal(item);
    slider.max = path.length - 1;
    slider.value = at;
    slider.setAttribute("aria-valuetext", item.querySelector("a").textContent);
    byId("first").disabled = byId("back").disabled = at === 0;
    byId("next").disabled = byId("last").disabled = at === path.length - 1;
    // Texts of the record are copied as nodes, never read as markup.
    const head = document.createElement("p");
    const parts = [...item.children].filter((part) => part.matches("a:first-child, em, .v"));
    for (const part of parts) {
      const text = document.createElement("span");
      text.className = part.className || part.localName;
      text.append(...[...part.childNodes].map((node) => node.cloneNode(true)));
      head.append(text, " ");
    }
    const comments = item.querySelector(".c");
    note.replaceChildren(head, ...(comments ? comments.cloneNode(true).childNodes : []));
    for (const line of note.querySelectorAll(".pv")) {
      const moves = line.dataset.l.split(" ");
      line.querySelectorAll("span").forEach((name, index) => {
        const link = document.createElement("a");
        link.href = `#${item.id}`;
        link.dataset.m = moves[index];
        link.textContent = name.textContent;
        name.replaceWith(link);
      });
    }
    look(0);
    try {
      history.replaceState(null, "", `#${item.id}`);
    } catch (error) {
      // A page in another page may have no address of its own.
    }
    for (const [id, bad] of [["worse", mistake(-1)], ["bad", mistake(1)]]) {
      if (byId(id)) byId(id).disabled = bad < 0;
    }
    if (cursor) {
      const [left, width] = [+plot.getAttribute("x"), +plot.getAttribute("width")];
      const x = left + width * Math.min(1, at / +plot.dataset.last);
      const top = +plot.getAttribute("y");
      cursor.setAttribute("d", `M${x.toFixed(1)} ${top}V${top + +plot.getAttribute("height")}`);
      // Narrow windows show a part of the graph.
      const [graph, line] = [byId("graph"), cursor.getBoundingClientRect()];
      const [from, to] = [graph.getBoundingClientRect().left, graph.getBoundingClientRect().right];
      if (line.left < from || line.left > to) graph.scrollLeft += line.left - (from + to) / 2;
    }
  }

  // The next marked move of the line in a direction, or -1.
  function mistake(step) {
    for (let ply = at + step; ply >= 0 && ply < path.length; ply += step) {
      if (path[ply].querySelector("em")) return ply;
    }
    return -1;
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
  }

  function play() {
    if (timer) return pause();
    if (at === path.length - 1) go(0);
    timer = setInterval(() => (at < path.length - 1 ? go(at + 1) : pause()), 1000);
  }

  function turn() {
    flipped = !flipped;
    board.classList.toggle("flipped", flipped);
    look(ahead);
  }

  function go(ply) {
    at = Math.max(0, Math.min(path.length - 1, ply));
    show();
  }

  function select(item) {
    path = pathFrom(item);
    go(path.indexOf(item));
  }

  function selectTarget(id) {
    const target = byId(id);
    const item = target && (parents.has(target) ? target : target.querySelector("li"));
    if (!item || !parents.has(item)) return false;
    select(item);
    return true;
  }

  byId("first").addEventListener("click", () => go(0));
  byId("back").addEventListener("click", () => go(at - 1));
  byId("next").addEventListener("click", () => go(at + 1));
  byId("last").addEventListener("click", () => go(path.length - 1));
  byId("flip").addEventListener("click", turn);
  for (const [id, step] of [["worse", -1], ["bad", 1]]) {
    if (byId(id)) byId(id).addEventListener("click", () => go(mistake(step)));
  }
  note.addEventListener("click", (event) => {
    const index = expected().indexOf(event.target.closest("a"));
    if (index < 0) return;
    event.preventDefault();
    look(ahead === index + 1 ? 0 : index + 1);
  });
  slider.addEventListener("input", () => go(+slider.value));
  document.querySelector(".list").addEventListener("click", (event) => {
    const link = event.target.closest("a");
    const item = event.target.closest("li");
    const id = link ? link.hash.slice(1) : item && item.id;
    if (id && selectTarget(id)) event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === slider) return;
    const act = {
      // Within an expected line the arrows stay in it.
      ArrowLeft: () => (ahead ? look(ahead - 1) : go(at - 1)),
      ArrowRight: () => (ahead ? look(ahead + 1) : go(at + 1)),
      Home: () => go(0),
      End: () => go(path.length - 1),
      Escape: () => look(0),
      n: () => mistake(1) >= 0 && go(mistake(1)),
      p: () => mistake(-1) >= 0 && go(mistake(-1)),
      f: turn,
      " ": play,
    }[event.key];
    // The space bar presses the button that has the focus.
    if (!act || (event.key === " " && event.target.closest && event.target.closest("button, a, summary"))) return;
    event.preventDefault();
    if (event.key !== " ") pause();
    act();
  });

  // Copies a text, and says so in the button for a moment.
  async function copy(button, text) {
    const word = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch (error) {
      const field = document.createElement("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    button.textContent = byId("share").dataset.done;
    setTimeout(() => (button.textContent = word), 1500);
  }

  byId("copy-sfen").addEventListener("click", (event) => copy(event.target, event.target.dataset.sfen));
  byId("copy-link").addEventListener("click", (event) => copy(event.target, location.href));
  if (byId("kif")) {
    const kif = byId("kif").textContent;
    byId("copy-kif").addEventListener("click", (event) => copy(event.target, kif));
    byId("save-kif").href = `data:text/plain;charset=utf-8,${encodeURIComponent(kif)}`;
  }
  for (const link of all(".sides a")) {
    link.addEventListener("click", (event) => selectTarget(link.hash.slice(1)) && event.preventDefault());
  }
  if (plot) {
    byId("graph").addEventListener("click", (event) => {
      const box = plot.getBoundingClientRect();
      path = game;
      go(Math.round(((event.clientX - box.left) / box.width) * +plot.dataset.last));
    });
  }
  window.addEventListener("hashchange", () => selectTarget(location.hash.slice(1)));

  document.documentElement.classList.add("js");
  byId("controls").hidden = byId("share").hidden = false;
  if (selectTarget(location.hash.slice(1))) {
    // The browser scrolls to the move, whose list has its own scroll bar.
    window.addEventListener("load", () => setTimeout(() => window.scrollTo(0, 0)));
  } else {
    show();
  }
})();
