(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const board = byId("board");
  if (!board) return;
  const note = byId("note");
  const view = liveBoard(board);
  const tables = all(".position");
  const start = board.dataset.s.split(" ");
  const [root, rootPly] = [start.slice(0, 3).join(" "), +start[3]];

  // The rows of moves that the board walks through, and the number of them that are made.
  let line = [];
  let at = 0;

  const rowsOf = (table) => (table ? [...table.querySelectorAll("tr[data-m]")] : []);

  // The table of the position after the move of a row; without a row the first one.
  function tableAfter(row) {
    if (!row) return tables[0];
    const link = row.querySelector("a");
    return link ? byId(link.hash.slice(1)) : null;
  }

  // The rows, on by the moves of most games as long as there are tables. A line does not come back to a
  // table, as repetitions would.
  function extended(rows) {
    const longer = [...rows];
    const seen = new Set([tables[0], ...rows.map(tableAfter)]);
    for (;;) {
      const [first] = rowsOf(tableAfter(longer[longer.length - 1]));
      if (!first || seen.has(tableAfter(first))) return longer;
      longer.push(first);
      if (!tableAfter(first)) return longer;
      seen.add(tableAfter(first));
    }
  }

  const nameOf = (row) => row.querySelector("th").textContent;

  function show() {
    let sfen = root;
    for (const row of line.slice(0, at)) sfen = after(sfen, row.dataset.m);
    const now = at ? line[at - 1] : null;
    const table = tableAfter(now);
    for (const one of tables) one.hidden = one !== table;
    byId("none").hidden = Boolean(table);
    const black = sfen.split(" ")[1] === "b";
    const arrows = rowsOf(table).slice(0, 4).map((row, index) => [row.dataset.m, index ? "" : "good", black]);
    view.draw(sfen, now && now.dataset.m, arrows, now ? nameOf(now) : board.dataset.start);
    for (const row of all("tr.now")) row.classList.remove("now");
    if (line[at]) line[at].classList.add("now");
    byId("first").disabled = byId("back").disabled = at === 0;
    byId("next").disabled = byId("last").disabled = at === line.length;
    byId("copy-sfen").dataset.sfen = `${sfen} ${rootPly + at}`;
    describe();
    setAddress(line.slice(0, at).map((row) => row.dataset.m).join("-") || "start");
  }

  // The moves up to the position, each a button that goes there.
  function describe() {
    const parts = [null, ...line.slice(0, at)].flatMap((row, ply) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.at = ply;
      button.textContent = row ? nameOf(row) : board.dataset.start;
      if (ply === at) button.setAttribute("aria-current", "step");
      return [button, " "];
    });
    note.replaceChildren(...parts);
  }

  function go(ply) {
    at = Math.max(0, Math.min(line.length, ply));
    show();
  }

  function select(row) {
    line = extended([...line.slice(0, at), row]);
    go(at + 1);
  }

  // Shows another move in place of the last one.
  function sibling(by) {
    if (at === 0) return;
    const rows = rowsOf(tableAfter(at > 1 ? line[at - 2] : null));
    const row = rows[(rows.indexOf(line[at - 1]) + by + rows.length) % rows.length];
    line = extended([...line.slice(0, at - 1), row]);
    show();
  }

  // Shows the position after the moves of an address.
  function visit(id) {
    const rows = [];
    for (const m of id && id !== "start" ? id.split("-") : []) {
      const row = rowsOf(tableAfter(rows[rows.length - 1])).find((one) => one.dataset.m === m);
      if (!row) return false;
      rows.push(row);
    }
    line = extended(rows);
    go(rows.length);
    return true;
  }

  function turn() {
    view.turn();
    show();
  }

  byId("first").addEventListener("click", () => go(0));
  byId("back").addEventListener("click", () => go(at - 1));
  byId("next").addEventListener("click", () => go(at + 1));
  byId("last").addEventListener("click", () => go(line.length));
  byId("flip").addEventListener("click", turn);
  note.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) go(+button.dataset.at);
  });
  document.querySelector(".tables").addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-m]");
    if (!row) return;
    event.preventDefault();
    select(row);
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const act = {
      ArrowLeft: () => go(at - 1),
      ArrowRight: () => go(at + 1),
      Home: () => go(0),
      End: () => go(line.length),
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
  window.addEventListener("hashchange", () => visit(decodeURIComponent(location.hash.slice(1))));

  document.documentElement.classList.add("js");
  byId("controls").hidden = byId("share").hidden = false;
  if (!visit(decodeURIComponent(location.hash.slice(1)))) visit("");
})();
