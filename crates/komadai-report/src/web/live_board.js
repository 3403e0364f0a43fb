
"use strict";
// A board that shows positions, for the scripts of pages.
function liveBoard(holder) {
  const picture = holder.querySelector("svg");
  const stars = picture.querySelector(".kd-stars");
  const words = picture.querySelector("desc");
  const kanji = holder.dataset.pieces === "kanji";
  let flipped = false;

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

  // An arrow for a move of a side; without a class it is a plain one.
  function drawArrow([move, kind, black], hands) {
    const square = (text) => center(+text[0], text.charCodeAt(1) - 96);
    const [x, y] = move[1] === "*" ? stand(black, hands, move[0]) : square(move);
    const [endX, endY] = square(move.slice(2));
    const length = Math.hypot(endX - x, endY - y);
    const turn = (Math.atan2(endY - y, endX - x) * 180) / Math.PI;
    const neck = (length - 18).toFixed(1);
    const shape = `M8-4H${neck}V-10L${length.toFixed(1)} 0 ${neck} 10V4H8z`;
    return `<path class="kd-arrow${kind && ` kd-arrow-${kind}`}" transform="translate(${x} ${y})rotate(${turn.toFixed(1)})" d="${shape}"></path>`;
  }

  // Shows a position, the move before it, and arrows, each a move, a class, and true if Black makes it.
  function draw(sfen, move, arrows, text) {
    const [ranks, side, hands] = sfen.split(" ");
    while (stars.nextSibling) stars.nextSibling.remove();
    const mark = move ? drawMark(move) : "";
    const stands = drawStand(true, hands, side === "b") + drawStand(false, hands, side === "w");
    const shown = arrows.map((arrow) => drawArrow(arrow, hands)).join("");
    stars.insertAdjacentHTML("afterend", drawLabels() + mark + drawBoard(ranks) + stands + shown);
    words.textContent = `${text} ${sfen}`;
  }

  // Turns the board, which is drawn again by the caller.
  function turn() {
    flipped = !flipped;
    holder.classList.toggle("flipped", flipped);
  }

  return { draw, turn };
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
  const rows = squares.map((cells) => cells.map((cell) => cell || "1").join("").replace(/1+/g, (free) => free.length));
  const text = [..."RBGSNLP"].flatMap((kind) => [kind, kind.toLowerCase()]);
  const left = text.filter((kind) => held[kind] > 0);
  const white = (kind) => kind === kind.toLowerCase();
  left.sort((one, other) => white(one) - white(other));
  const hand = left.map((kind) => (held[kind] > 1 ? held[kind] : "") + kind).join("") || "-";
  return `${rows.join("/")} ${side === "b" ? "w" : "b"} ${hand}`;
}

// Sets the address of the page to a part of it.
function setAddress(id) {
  try {
    history.replaceState(null, "", `#${id}`);
  } catch (error) {
    // A page in another page may have no address of its own.
  }
}

// Copies a text, and says so in the button for a moment.
async function copyText(button, text, done) {
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
  button.textContent = done;
  setTimeout(() => (button.textContent = word), 1500);
}
