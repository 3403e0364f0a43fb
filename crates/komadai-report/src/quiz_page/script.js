
(() => {
  const score = document.getElementById("score");
  const words = score.dataset;
  const articles = [...document.querySelectorAll("article")];

  function count() {
    const right = articles.filter((article) => article.classList.contains("right")).length;
    score.textContent = `${right} / ${articles.length} ${words.score}`;
  }

  function start(article) {
    const board = article.querySelector(".board");
    const picture = board.querySelector("svg");
    const view = liveBoard(board);
    const { s: sfen, m: last, best } = article.dataset;
    const [, side, hands] = sfen.split(" ");
    const flipped = side === "w";
    // The kinds in the hand of the side to move, in the order of its stand, which is below.
    const held = [..."RBGSNLP"].filter((kind) => hands.includes(flipped ? kind.toLowerCase() : kind));
    const legal = article.dataset.legal.split(" ");
    const buttons = [...article.querySelectorAll(".choices button")];
    const promotion = article.querySelector(".promotion");
    const verdict = article.querySelector(".verdict");
    const answer = article.querySelector("details");
    const again = document.createElement("button");
    // The square or the kind in hand from which the reader moves, and the move that may promote.
    let origin = "";
    let doubtful = "";
    let done = false;

    // The square or the piece in hand under a click, as the start of a move: 7g, P*. The lengths are
    // those of the picture.
    function place(event) {
      const matrix = picture.getScreenCTM();
      if (!matrix) return "";
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      const [column, row] = [Math.floor((x - 118) / 44), Math.floor((y - 34) / 48)];
      if (column >= 0 && column < 9 && row >= 0 && row < 9) {
        const [file, rank] = flipped ? [column + 1, 9 - row] : [9 - column, row + 1];
        return `${file}${String.fromCharCode(96 + rank)}`;
      }
      const kind = held[Math.floor((y - 166) / 42)];
      return kind && x >= 540 && x <= 630 && y >= 166 ? `${kind}*` : "";
    }

    // Marks a square or a piece in hand.
    function tint(place) {
      let [x, y] = [556, 168 + 42 * held.indexOf(place[0])];
      if (place[1] !== "*") {
        let [file, rank] = [+place[0], place.charCodeAt(1) - 96];
        if (flipped) [file, rank] = [10 - file, 10 - rank];
        [x, y] = [120 + (9 - file) * 44, 36 + (rank - 1) * 48];
      }
      const mark = `<rect class="kd-mark" x="${x}" y="${y}" width="40" height="${place[1] === "*" ? 40 : 44}" rx="4"></rect>`;
      picture.insertAdjacentHTML("beforeend", mark);
    }

    function show() {
      view.draw(sfen, last, [], article.id);
      if (origin) tint(origin);
      promotion.hidden = !doubtful;
    }

    function choose(move) {
      if (done) return;
      done = true;
      origin = doubtful = "";
      const right = move === best;
      const known = answer.querySelector(`li[data-m="${CSS.escape(move)}"]`);
      article.classList.add(right ? "right" : "wrong");
      verdict.textContent = right ? words.right : known ? words.wrong : words.other;
      for (const button of buttons) {
        button.disabled = true;
        button.classList.toggle("best", button.dataset.m === best);
        button.classList.toggle("chosen", button.dataset.m === move);
      }
      verdict.append(" ", again);
      answer.open = true;
      show();
      view.draw(after(sfen, move), move, [], article.id);
      count();
    }

    function reset() {
      done = false;
      article.classList.remove("right", "wrong");
      verdict.textContent = "";
      for (const button of buttons) {
        button.disabled = false;
        button.classList.remove("best", "chosen");
      }
      answer.open = false;
      follow(null);
      count();
    }

    // A click on a square or on a piece in hand.
    function touch(place) {
      if (done || !place) {
        origin = doubtful = "";
        if (!done) show();
        return;
      }
      const moves = origin ? legal.filter((move) => move.slice(0, 4) === origin + place) : [];
      doubtful = moves.length === 2 ? origin + place : "";
      if (moves.length === 1) return choose(moves[0]);
      if (!doubtful) origin = legal.some((move) => move.startsWith(place)) ? place : "";
      show();
    }

    // Shows the position after a move of a line, or the question again.
    function follow(link) {
      const moves = link ? [...link.closest(".pv").querySelectorAll("a")] : [];
      const until = moves.indexOf(link) + 1;
      for (const other of answer.querySelectorAll(".pv a")) other.classList.toggle("now", other === link);
      let now = sfen;
      for (const move of moves.slice(0, until)) now = after(now, move.dataset.m);
      if (link) view.draw(now, link.dataset.m, [], article.id);
      else show();
    }

    for (const line of answer.querySelectorAll(".pv")) {
      const moves = line.dataset.l.split(" ");
      line.querySelectorAll("span").forEach((name, index) => {
        const link = document.createElement("a");
        link.href = `#${article.id}`;
        link.dataset.m = moves[index];
        link.textContent = name.textContent;
        name.replaceWith(link);
      });
    }
    answer.addEventListener("click", (event) => {
      const link = event.target.closest(".pv a");
      if (!link) return;
      event.preventDefault();
      follow(link.classList.contains("now") ? null : link);
    });
    again.type = "button";
    again.textContent = words.again;
    again.addEventListener("click", reset);
    for (const button of buttons) button.addEventListener("click", () => choose(button.dataset.m));
    for (const button of promotion.querySelectorAll("button")) {
      button.addEventListener("click", () => choose(doubtful + button.dataset.p));
    }
    if (flipped) view.turn();
    board.addEventListener("click", (event) => touch(place(event)));
  }

  articles.forEach(start);
  document.documentElement.classList.add("js");
  score.hidden = false;
  count();
})();
