
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const board = byId("board");
  const view = liveBoard(board);
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
    if (last) {
      view.draw(sfen, last.dataset.m, [], last.textContent);
    } else {
      // The side that has just moved could have made the better move.
      const black = sfen.split(" ")[1] === "w";
      const arrows = item.dataset.g ? [[item.dataset.m, "bad", black], [item.dataset.g, "good", black]] : [];
      view.draw(sfen, item.dataset.m, arrows, item.querySelector("a").textContent);
    }
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
    setAddress(item.id);
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
    view.turn();
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

  const copy = (event, text) => copyText(event.target, text, byId("share").dataset.done);
  byId("copy-sfen").addEventListener("click", (event) => copy(event, event.target.dataset.sfen));
  byId("copy-link").addEventListener("click", (event) => copy(event, location.href));
  if (byId("kif")) {
    const kif = byId("kif").textContent;
    byId("copy-kif").addEventListener("click", (event) => copy(event, kif));
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
