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
