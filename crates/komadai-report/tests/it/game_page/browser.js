"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const faults = window.faults;
  const expect = (what, found, expected) => {
    if (found !== expected) faults.push(`${what}: found ${found}, expected ${expected}`);
  };
  const now = () => document.querySelector("li.now").id;
  const key = (name) => document.dispatchEvent(new KeyboardEvent("keydown", { key: name, cancelable: true }));
  const svg = byId("board").querySelector("svg");
  // Everything after the board itself, without blanks between the elements.
  const content = (picture) => {
    const parts = [];
    for (let node = picture.querySelector(".kd-stars").nextElementSibling; node; node = node.nextElementSibling) {
      // Arrows are checked below.
      if (node.matches(".kd-arrow")) continue;
      parts.push(node.outerHTML.replace(/>\s+</g, "><"));
    }
    return parts.join("");
  };
  const boards = [...document.querySelectorAll(".expected svg")];
  const flippedBoards = [...document.querySelectorAll(".expected-flipped svg")];
  const last = boards.length - 1;

  expect("controls", byId("controls").hidden, false);
  expect("start", now(), "n0");
  expect("back at the start", byId("back").disabled, true);
  let steps = 0;
  for (let ply = 0; ply <= last; ply++) {
    if (ply > 0) byId("next").click();
    expect("item", now(), `n${ply}`);
    expect("slider", byId("slider").value, String(ply));
    expect(`board ${ply}`, content(svg), content(boards[ply]));
    expect(`address ${ply}`, location.hash, `#n${ply}`);
    const arrows = [...svg.querySelectorAll(".kd-arrow")].map((arrow) => arrow.classList[1]).join(" ");
    expect(`arrows ${ply}`, arrows, byId(`n${ply}`).dataset.g ? "kd-arrow-bad kd-arrow-good" : "");
    const sfen = byId(`n${ply}`).dataset.s;
    expect(`copy ${ply}`, byId("copy-sfen").dataset.sfen, `${sfen} ${ply + 1}`);
    // A line that is the game's own leads to its boards.
    const moves = [...byId("note").querySelectorAll(".pv a")];
    let same = 0;
    while (same < moves.length && moves[same].dataset.m === (byId(`n${ply + same + 1}`) || { dataset: {} }).dataset.m) {
      moves[same].click();
      same += 1;
      expect(`line ${ply} + ${same}`, content(svg), content(boards[ply + same]));
    }
    if (moves.length) {
      key("Escape");
      moves[moves.length - 1].click();
      expect(`end of line ${ply}`, byId("board").classList.contains("ahead"), true);
      key("Escape");
      expect(`board ${ply} after its line`, content(svg), content(boards[ply]));
    }
    byId("flip").click();
    expect(`turned board ${ply}`, content(svg), content(flippedBoards[ply]));
    byId("flip").click();
    steps += 1;
  }
  expect("next at the end", byId("next").disabled, true);
  byId("first").click();
  expect("first", now(), "n0");
  byId("last").click();
  expect("last", now(), `n${last}`);
  byId("back").click();
  expect("back", now(), `n${last - 1}`);
  key("Home");
  expect("Home", now(), "n0");
  key("ArrowLeft");
  expect("ArrowLeft at the start", now(), "n0");
  key("ArrowRight");
  key("ArrowRight");
  expect("ArrowRight", now(), "n2");
  key("ArrowLeft");
  expect("ArrowLeft", now(), "n1");
  key("End");
  expect("End", now(), `n${last}`);
  if (last >= 7) {
    byId("slider").value = 5;
    byId("slider").dispatchEvent(new Event("input"));
    expect("slider", now(), "n5");
    expect("board of the slider", content(svg), content(boards[5]));
    byId("n7").querySelector("a").click();
    expect("click on a move", now(), "n7");
    byId("n3").click();
    expect("click beside a move", now(), "n3");
  }
  const marked = [...document.querySelectorAll("ol.line")][0].querySelectorAll("li em");
  key("Home");
  for (const mark of marked) {
    key("n");
    expect("n", now(), mark.closest("li").id);
  }
  if (marked.length) {
    byId("last").click();
    key("p");
    byId("worse").click();
    key("n");
    expect("p and n", now(), marked[marked.length - 1].closest("li").id);
    expect("no mistake after the last", byId("bad").disabled, true);
  }
  key("f");
  expect("f", byId("board").classList.contains("flipped"), true);
  key("f");
  const first = document.querySelector(".sides a");
  if (first) {
    first.click();
    expect("first mistake", `#${now()}`, first.hash);
  }
  if (byId("kif")) {
    expect("KIF", decodeURIComponent(byId("save-kif").href.split(",")[1]), byId("kif").textContent);
  }
  const plot = document.querySelector(".kg-plot");
  if (plot) {
    const box = plot.getBoundingClientRect();
    const x = box.left + (box.width * Math.min(6, last)) / +plot.dataset.last;
    const click = new MouseEvent("click", { clientX: x, clientY: box.top + 5, bubbles: true });
    plot.dispatchEvent(click);
    expect("click in the graph", now(), `n${Math.min(6, last)}`);
    const cursor = document.querySelector(".kg-cursor").getBoundingClientRect();
    expect("cursor", Math.abs(cursor.left - x) < 3, true);
  }
  const fork = document.querySelector(".fork");
  if (fork) {
    fork.click();
    const list = document.querySelector(fork.hash);
    const first = list.querySelector("li").id;
    expect("variation", now(), first);
    byId("back").click();
    expect("back from the variation", now(), list.dataset.p);
    byId("next").click();
    expect("next into the variation", now(), first);
    byId("last").click();
    expect("end of the variation", [...list.querySelectorAll("li[data-s]")].pop().id, now());
    byId("first").click();
  }
  byId("n1").querySelector("a").click();
  const comment = byId("n1").querySelector(".c");
  expect("comment", byId("note").textContent.includes(comment ? comment.textContent : ""), true);
  expect("images", document.images.length, 0);
  const check = document.createElement("pre");
  check.id = "check";
  check.textContent = faults.length ? faults.slice(0, 20).join("\n") : `fine, ${steps} positions`;
  document.body.append(check);
})();
