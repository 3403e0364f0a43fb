
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const board = byId("board");
  const note = byId("note");
  const view = liveBoard(board);
  const [root, rootPly] = withoutPly(board.dataset.s);

  // Steps are the moves of the trees. Each has the one before it, or its tree, and those after it.
  const before = new Map();
  const following = new Map();
  for (const tree of all(".tree")) readBranches(tree, tree);

  // The moves that the board walks through: from a position, along a tree or a line of a table.
  let line = treeLine(null);
  let at = 0;

  function withoutPly(sfen) {
    const words = sfen.split(" ");
    return [words.slice(0, 3).join(" "), +words[3]];
  }

  function readBranches(holder, last) {
    for (const child of holder.children) {
      if (child.matches(".run")) readRun(child, last);
      if (child.matches("details")) {
        readBranches(child.querySelector(".branches"), readRun(child.firstElementChild, last));
      }
    }
  }

  // Reads moves that follow each other, and returns the last one.
  function readRun(run, last) {
    for (const step of run.querySelectorAll(".step")) {
      before.set(step, last);
      following.set(last, [...(following.get(last) || []), step]);
      last = step;
    }
    return last;
  }

  // The line of a tree through a step, on by the first moves; without a step from the start.
  function treeLine(step) {
    const steps = [];
    let place = step || document.querySelector(".tree");
    for (let one = step; before.has(one); one = before.get(one)) steps.unshift(one);
    const tree = steps.length ? before.get(steps[0]) : place;
    for (let next = following.get(place); next; next = following.get(next[0])) steps.push(next[0]);
    const moves = steps.map((one) => ({ m: one.dataset.m, name: one.querySelector(".m").textContent, step: one }));
    return { sfen: root, ply: rootPly, moves, tree };
  }

  // A line that is written out, as in the tables.
  function writtenLine(element) {
    const names = [...element.querySelectorAll(".m")];
    const moves = element.dataset.l.split(" ").map((m, index) => ({ m, name: names[index].textContent, element }));
    return { sfen: root, ply: rootPly, moves, arrows: element.dataset.a, text: element.dataset.t };
  }

  // A position of a table, with arrows.
  function placeLine(element) {
    const [sfen, ply] = withoutPly(element.dataset.s);
    return { sfen, ply, moves: [], arrows: element.dataset.a, text: element.dataset.t, id: element.id, element };
  }

  // The steps that continue from the position shown.
  function nextSteps() {
    if (!line.tree) return [];
    return following.get(at ? line.moves[at - 1].step : line.tree) || [];
  }

  function arrows(side) {
    const black = side === "b";
    if (line.tree) return nextSteps().slice(0, 4).map((step, index) => [step.dataset.m, index ? "" : "good", black]);
    if (!line.arrows || at < line.moves.length) return [];
    return line.arrows.split(" ").map((m) => [m, "", black]);
  }

  function show() {
    let sfen = line.sfen;
    for (const { m } of line.moves.slice(0, at)) sfen = after(sfen, m);
    const now = at ? line.moves[at - 1] : null;
    view.draw(sfen, now && now.m, arrows(sfen.split(" ")[1]), now ? now.name : board.dataset.start);
    for (const old of all(".now, .past")) old.classList.remove("now", "past");
    line.moves.slice(0, at).forEach(({ step }) => step && step.classList.add("past"));
    if (now && now.step) {
      now.step.classList.replace("past", "now");
      reveal(now.step);
    } else if (now) {
      now.element.querySelectorAll(".m")[at - 1].classList.add("now");
    } else if (line.element) {
      line.element.classList.add("now");
    }
    byId("first").disabled = byId("back").disabled = at === 0;
    byId("next").disabled = byId("last").disabled = at === line.moves.length;
    byId("copy-sfen").dataset.sfen = `${sfen} ${line.ply + at}`;
    describe(now);
    setAddress(line.id || line.moves.slice(0, at).map(({ m }) => m).join("-") || "start");
  }

  // Texts are copied as nodes, never read as markup.
  function describe(now) {
    const head = document.createElement("p");
    const number = document.createElement("b");
    number.textContent = line.ply + at - 1;
    if (now && now.step) head.append(number, " ", ...copies(now.step));
    else if (now) head.append(number, " ", now.name);
    else head.append(line.text || board.dataset.start);
    const parts = [head];
    if (now && !now.step && at === line.moves.length && line.text) {
      const text = document.createElement("p");
      text.append(line.text);
      parts.push(text);
    }
    const steps = nextSteps();
    if (steps.length) {
      const list = document.createElement("p");
      list.append(board.dataset.next, " ");
      steps.forEach((step, index) => {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.next = index;
        button.append(...copies(step));
        list.append(button, " ");
      });
      parts.push(list);
    }
    note.replaceChildren(...parts);
  }

  function copies(step) {
    return [...step.childNodes].map((node) => node.cloneNode(true));
  }

  // Opens the branches around a step, and scrolls their list to it.
  function reveal(step) {
    for (let fold = step.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      // The moves before a branching are shown while it is folded.
      if (!fold.firstElementChild.contains(step)) fold.open = true;
    }
    const list = step.closest(".lines");
    const [outer, inner] = [list.getBoundingClientRect(), step.getBoundingClientRect()];
    if (inner.top < outer.top) list.scrollTop += inner.top - outer.top - 8;
    if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 8;
  }

  function go(ply) {
    at = Math.max(0, Math.min(line.moves.length, ply));
    show();
  }

  function select(step) {
    line = treeLine(step);
    go(line.moves.findIndex((move) => move.step === step) + 1);
  }

  // Shows the position after moves of a tree.
  function selectMoves(moves) {
    for (const tree of all(".tree")) {
      let place = tree;
      for (const m of moves) place = place && (following.get(place) || []).find((step) => step.dataset.m === m);
      if (place) {
        select(place);
        return true;
      }
    }
    return false;
  }

  // Shows another move at the branching where the line came to the move shown.
  function sibling(by) {
    if (!line.tree || at === 0) return;
    const step = line.moves[at - 1].step;
    const others = following.get(before.get(step));
    select(others[(others.indexOf(step) + by + others.length) % others.length]);
  }

  // Narrow windows have the board above all tables.
  function findBoard() {
    const { top, bottom } = board.getBoundingClientRect();
    if (bottom < 60 || top > window.innerHeight - 60) board.scrollIntoView();
  }

  function turn() {
    view.turn();
    show();
  }

  // Shows the part of the page that an address names.
  function visit(id) {
    const element = byId(id);
    if (element && element.dataset.s && element !== board) {
      line = placeLine(element);
      go(0);
      return true;
    }
    const moves = id.split("-");
    if (selectMoves(moves)) return true;
    const written = all("[data-l]").find((one) => `${one.dataset.l} `.startsWith(`${moves.join(" ")} `));
    if (!written) return false;
    line = writtenLine(written);
    go(moves.length);
    return true;
  }

  byId("first").addEventListener("click", () => go(0));
  byId("back").addEventListener("click", () => go(at - 1));
  byId("next").addEventListener("click", () => go(at + 1));
  byId("last").addEventListener("click", () => go(line.moves.length));
  byId("flip").addEventListener("click", turn);
  note.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) select(nextSteps()[button.dataset.next]);
  });
  document.querySelector("main").addEventListener("click", (event) => {
    const step = event.target.closest(".tree .step");
    const name = event.target.closest("[data-l] .m");
    const place = event.target.closest("[data-s]");
    if (step) {
      select(step);
    } else if (name) {
      const element = name.closest("[data-l]");
      const count = [...element.querySelectorAll(".m")].indexOf(name) + 1;
      // Lines of a tree are shown there, but for one with arrows of its own.
      if (element.dataset.a || !selectMoves(element.dataset.l.split(" ").slice(0, count))) {
        line = writtenLine(element);
        go(count);
      }
    } else if (place && place !== board && !event.target.closest("summary, code, a, button")) {
      line = placeLine(place);
      go(0);
    } else {
      return;
    }
    // A move that stands in the line of a folded branching does not fold it.
    event.preventDefault();
    findBoard();
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const act = {
      ArrowLeft: () => go(at - 1),
      ArrowRight: () => go(at + 1),
      Home: () => go(0),
      End: () => go(line.moves.length),
      n: () => sibling(1),
      p: () => sibling(-1),
      f: turn,
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  const copy = (event, text) => copyText(event.target, text, byId("share").dataset.done);
  byId("copy-sfen").addEventListener("click", (event) => copy(event, event.target.dataset.sfen));
  byId("copy-link").addEventListener("click", (event) => copy(event, location.href));
  window.addEventListener("hashchange", () => visit(decodeURIComponent(location.hash.slice(1))) && findBoard());

  document.documentElement.classList.add("js");
  byId("controls").hidden = byId("share").hidden = false;
  if (!visit(decodeURIComponent(location.hash.slice(1)))) show();
})();
