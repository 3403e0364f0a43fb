// The page in headless Chromium, used as a person would: mouse, touch, keyboard, files, two languages, two sizes.
//
//   node web/tests/page.mjs FOLDER [--pictures DIR]
//
// FOLDER is one that web/build has made. With --pictures, screenshots are written there.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { launch } from "./chromium.mjs";
import { serve } from "./server.mjs";

const folder = process.argv[2];
const pictures = process.argv[3] === "--pictures" ? process.argv[4] : null;
const samples = fileURLToPath(new URL("../../crates/komadai-testdata/data/kifu/samples/", import.meta.url));
const network = fileURLToPath(new URL("../../crates/komadai-weights/src/network.nnue", import.meta.url));

const browser = await launch();
if (!browser) {
  console.log("skipped: there is no chromium (apt-get install chromium)");
  process.exit(0);
}
let site = await serve(folder);

const square = (name) => `.place[data-at="${name}"]`;
const list = (page) => page.eval("document.querySelectorAll('.list li[data-node]').length - 1");
const state = (page, name) => page.eval(`import(new URL("js/state.js", document.baseURI)).then((module) => ${name})`);
const sfen = (page) => state(page, "import(new URL('js/game.js', document.baseURI)).then((game) => game.position().sfen)");

let failed = 0;

/** Runs a part of the test; a failure is told, and the others go on. */
async function part(name, page, action) {
  const begin = Date.now();
  try {
    await action(page);
    assert.deepEqual([...new Set(page.faults)], [], "the console has no errors");
    console.log(`ok      ${name} (${Date.now() - begin} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
    if (pictures) await picture(page, `failed-${name.replaceAll(/\W+/g, "-")}`);
    await page.eval("document.querySelectorAll('dialog').forEach((box) => box.close())").catch(() => {});
  }
  page.faults.length = 0;
}

async function picture(page, name, whole = false) {
  if (!pictures) return;
  await mkdir(pictures, { recursive: true });
  await writeFile(`${pictures}/${name}.png`, await page.screenshot(whole));
}

/** Fails if anything is wider than the window, or text is cut. */
async function fits(page) {
  const [wide, window_] = await page.eval("[document.documentElement.scrollWidth, document.documentElement.clientWidth]");
  assert.ok(wide <= window_, `the page is ${wide} wide in a window of ${window_}`);
}

async function mode(page, name) {
  await page.click(`[data-mode="${name}"]`);
  await page.until(`document.body.dataset.mode === "${name}"`);
}

async function newGame(page) {
  await mode(page, "study");
  await page.click("#show-open");
  await page.click("#new-game");
  await page.until("document.querySelectorAll('.list li[data-node]').length === 1");
}

async function paste(page, text) {
  await page.click("#show-open");
  await page.eval(`document.querySelector("#paste").value = ${JSON.stringify(text)}`);
  await page.click("#read");
  await page.until("!document.querySelector('dialog[open]')");
}

const desktop = await browser.page({ width: 1280, height: 900, languages: "en-US" });
const phone = await browser.page({ width: 390, height: 844, mobile: true, dark: true, languages: "ja-JP" });

await part("starts in English at 1280 px", desktop, async (page) => {
  await page.open(site.url);
  assert.equal(await page.eval("document.documentElement.lang"), "en");
  assert.equal(await page.eval("document.querySelector('#show-open').textContent"), "Open");
  await fits(page);
});

await part("starts in Japanese and dark at 390 px", phone, async (page) => {
  await page.open(site.url);
  assert.equal(await page.eval("document.documentElement.lang"), "ja");
  assert.equal(await page.eval("getComputedStyle(document.body).backgroundColor"), "rgb(23, 21, 18)");
  await fits(page);
});

await part("moves by mouse: clicks and dragging", desktop, async (page) => {
  await page.click(square("7g"));
  assert.equal(await page.eval("document.querySelectorAll('.over .target').length"), 1);
  await page.click(square("7f"));
  await page.until("document.querySelectorAll('.list li[data-node]').length === 2");
  await page.drag(square("3c"), square("3d"));
  await page.until("document.querySelectorAll('.list li[data-node]').length === 3");
  assert.equal(await sfen(page), "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
});

await part("an illegal move is explained and not made", desktop, async (page) => {
  await page.drag(square("8h"), square("5h"));
  await page.until("!document.querySelector('#message').hidden");
  assert.match(await page.eval("document.querySelector('#message').textContent"), /illegal.*does not go to/i);
  assert.equal(await list(page), 2);
});

await part("promotion is asked for", desktop, async (page) => {
  await page.click(square("8h"));
  await page.click(square("2b"));
  await page.until("document.querySelector('#promotion[open]')");
  await picture(page, "promotion");
  await page.click("#promotion .koma.promoted");
  await page.until("document.querySelectorAll('.list li[data-node]').length === 4");
  assert.match(await sfen(page), /^lnsgkgsnl\/1r5\+B1\//);
  await page.click(square("3a"));
  await page.click(square("2b"));
  await page.until("document.querySelectorAll('.list li[data-node]').length === 5");
  assert.match(await sfen(page), / b Bb 5$/);
});

await part("drops from the hand", desktop, async (page) => {
  await page.click(square("B"));
  await page.click(square("5e"));
  await page.until("document.querySelectorAll('.list li[data-node]').length === 6");
  assert.match(await sfen(page), /\/4B4\//);
});

await part("moves by keyboard, with names for screen readers", desktop, async (page) => {
  await newGame(page);
  await page.eval(`document.querySelector('${square("5i")}').focus()`);
  for (const key of ["ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight"]) await page.key(key);
  assert.equal(await page.eval("document.activeElement.getAttribute('aria-label')"), "2g: Black pawn");
  await page.key("Enter");
  assert.match(await page.eval("document.querySelector('#spoken').textContent"), /2g: Black pawn/);
  await page.key("ArrowUp");
  await page.key("Enter");
  await page.until("document.querySelectorAll('.list li[data-node]').length === 2");
  assert.equal(await page.eval("document.activeElement.dataset.at"), "2f");
});

await part("moves by touch: taps and dragging", phone, async (page) => {
  await page.tap(square("7g"));
  await page.tap(square("7f"));
  await page.until("document.querySelectorAll('.list li[data-node]').length === 2");
  await page.touchDrag(square("8c"), square("8d"));
  await page.until("document.querySelectorAll('.list li[data-node]').length === 3");
  assert.match(await page.eval("document.querySelector('.list li.now').textContent"), /△８四歩/);
  await fits(page);
});

await part("goes through the moves by keys, buttons, slider and clicks", desktop, async (page) => {
  await paste(page, "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e");
  const now = () => page.eval("+document.querySelector('.list li.now b').textContent || 0");
  assert.equal(await now(), 0);
  await page.eval("document.activeElement.blur()");
  await page.key("End");
  await page.until("document.querySelector('.list li.now b').textContent === '6'");
  await page.key("ArrowLeft");
  await page.until("document.querySelector('.list li.now b').textContent === '5'");
  await page.click("#first");
  await page.until("document.querySelector('.list li.now b').textContent.trim() === ''");
  await page.click(".list li:nth-child(4) a");
  await page.until("document.querySelector('.list li.now b').textContent === '3'");
  await page.eval("document.querySelector('#slider').value = 2; document.querySelector('#slider').dispatchEvent(new Event('input'))");
  await page.until("document.querySelector('.list li.now b').textContent === '2'");
});

await part("a different move makes a variation", desktop, async (page) => {
  await page.click(square("6g"));
  await page.click(square("6f"));
  await page.until("document.querySelectorAll('.list li[data-node]').length === 4");
  assert.match(await page.eval("document.querySelector('.fork').textContent"), /P-2f/);
  await page.click(".fork");
  await page.until("document.querySelectorAll('.list li[data-node]').length === 7");
  await page.eval("document.querySelector('#comment').value = 'a <b>remark</b>'; document.querySelector('#comment').dispatchEvent(new Event('change'))");
  await page.until("document.querySelector('.list .c')?.textContent === 'a <b>remark</b>'");
});

await part("every format is written and read back", desktop, async (page) => {
  const before = await list(page);
  await page.click("#show-save");
  const texts = {};
  for (const format of ["kif", "ki2", "csa", "jkf", "usen", "usi", "sfen"]) {
    await page.select("#format", format);
    texts[format] = await page.eval("document.querySelector('#text').value");
    assert.ok(texts[format].length > 20, `${format}: ${texts[format]}`);
  }
  await page.click("#save .close");
  const here = await sfen(page);
  for (const [format, text] of Object.entries(texts)) {
    await newGame(page);
    await paste(page, text);
    if (format === "sfen") assert.equal(await sfen(page), here);
    else await page.until(`document.querySelectorAll('.list li[data-node]').length === ${before + 1}`, `${format} has ${before} moves`, 5);
  }
});

await part("a file in Shift_JIS is opened", desktop, async (page) => {
  await page.click("#show-open");
  const { root } = await page.send("DOM.getDocument");
  const { nodeId } = await page.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#file" });
  await page.send("DOM.setFileInputFiles", { nodeId, files: [`${samples}kfj__kif_henka.kif`] });
  await page.until("document.querySelectorAll('.list li[data-node]').length > 10");
  assert.ok(await page.eval("/[一-龠]/.test(document.querySelector('.player.black').textContent)"));
});

await part("a game is pasted by keys, and dropped", desktop, async (page) => {
  const transfer = (type, event) => page.eval(`(() => {
    const data = new DataTransfer();
    data.setData("text/plain", ${JSON.stringify("startpos moves 7g7f 3c3d 2g2f")});
    document.body.dispatchEvent(new ${event}("${type}", { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data }));
  })()`);
  await newGame(page);
  await transfer("paste", "ClipboardEvent");
  await page.until("document.querySelectorAll('.list li[data-node]').length === 4");
  await newGame(page);
  await transfer("drop", "DragEvent");
  await page.until("document.querySelectorAll('.list li[data-node]').length === 4");
});

await part("what cannot be read is explained", desktop, async (page) => {
  await page.click("#show-open");
  await page.eval("document.querySelector('#paste').value = 'no game'");
  await page.click("#read");
  await page.until("/cannot be read/.test(document.querySelector('#message').textContent)");
  await page.click("#open .close");
});

await part("analysis starts, shows lines and arrows, and stops", desktop, async (page) => {
  await newGame(page);
  await page.select("#multipv", 3);
  await page.click("#analyse");
  await page.until("document.querySelectorAll('#lines li').length === 3");
  await page.until("document.querySelectorAll('#picture .kd-arrow').length === 3");
  await page.until("!document.querySelector('#bar').classList.contains('unknown')");
  await picture(page, "analysis");
  await page.click(square("2g"));
  await page.click(square("2f"));
  await page.until("document.querySelector('.list li.now b').textContent === '1'");
  await page.until("document.querySelectorAll('#lines li').length === 3", "the analysis follows the move");
  await page.click("#analyse");
  await page.until("document.querySelector('#analyse').textContent === 'Start'");
  const text = await page.eval("document.querySelector('#engine .status').textContent");
  await new Promise((resolve) => setTimeout(resolve, 700));
  assert.equal(await page.eval("document.querySelector('#engine .status').textContent"), text, "nothing changes after the stop");
});

await part("a line plays on the board and enters the record", desktop, async (page) => {
  await page.click("#lines li:first-child .pv a:nth-of-type(2)");
  await page.until("document.querySelector('#picture.ahead')");
  await page.click("#keep-line");
  await page.until("document.querySelectorAll('.list li[data-node]').length === 4");
});

await part("a whole game is analysed, with graph and marks", desktop, async (page) => {
  // The third move gives the bishop away.
  await paste(page, "startpos moves 7g7f 3c3d 8h3c 2b3c 5i5h 8c8d");
  await page.select("#game-nodes", 5000);
  await page.click("#analyse-game");
  await page.until("document.querySelector('#analyse-game').textContent === 'Analyse the game' && document.querySelector('#graph .kg-plot')", "the analysis ends", 40);
  assert.equal(await page.eval("document.querySelectorAll('.list li .v').length"), 7);
  assert.ok(await page.eval("document.querySelectorAll('.list li em').length") >= 1, "the blunder is marked");
  assert.equal(await page.eval("document.querySelector('.list li:nth-child(4) em')?.textContent"), "??");
  const box = await page.eval("(() => { document.querySelector('#graph').scrollIntoView(); const box = document.querySelector('.kg-plot').getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; })()");
  const at = [box[0] + box[2] / 2, box[1] + box[3] / 2];
  await page.mouse("mousePressed", at);
  await page.mouse("mouseReleased", at);
  await page.until("document.querySelector('.list li.now b').textContent === '3'");
  await page.eval("scrollTo(0, 0)");
  await picture(page, "game");
});

await part("the mate search proves a mate", desktop, async (page) => {
  await paste(page, "sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
  await page.click("#solve");
  await page.until("document.querySelector('.answer .found')");
  assert.match(await page.eval("document.querySelector('.answer .found').textContent"), /Mate in 1/);
  await page.click(".answer .pv a");
  await page.until("document.querySelector('#picture.ahead')");
});

await part("a bundled tsume problem: a wrong move, a hint, the mate", desktop, async (page) => {
  await mode(page, "tsume");
  await page.until("document.querySelector('#tsume h2')");
  const total = await page.eval("+document.querySelector('#tsume h2').textContent.match(/of ([0-9,]+)/)[1].replace(',', '')");
  assert.ok(total > 100);
  await page.click("#tsume-hint");
  await page.until("/Hint/.test(document.querySelector('#tsume .verdict').textContent)");
  // The solution is read from the page's own state; the moves are made by hand.
  const moves = await state(page, "module.state.tsume.line");
  for (const [index, usi] of moves.entries()) {
    if (index % 2) continue;
    await page.click(square(usi[1] === "*" ? usi[0] : usi.slice(0, 2)));
    await page.click(square(usi.slice(2, 4)));
    await new Promise((resolve) => setTimeout(resolve, 60));
    const asked = await page.eval("Boolean(document.querySelector('#promotion[open]'))");
    if (asked) await page.click(usi.endsWith("+") ? "#promotion .koma.promoted" : "#promotion .koma:not(.promoted)");
    await page.until(`document.querySelector('#slider').value === '${Math.min(index + 2, moves.length)}'`, `move ${usi} is answered`);
  }
  await page.until("document.querySelector('#tsume .verdict').textContent === 'Solved!'");
  await picture(page, "tsume");
  assert.match(await page.eval("document.querySelector('#tsume').textContent"), /solved: 1 of/);
  await page.reload();
  await page.until("/solved: 1 of/.test(document.querySelector('#tsume').textContent)", "progress survives a reload");
});

await part("a wrong move in a problem is refuted by the solver", desktop, async (page) => {
  await page.click("#retry");
  const usi = await state(page, `Promise.all([import(new URL("js/komadai.js", document.baseURI))]).then(([{ Position }]) => {
    const { sfen, line } = module.state.tsume;
    return new Position(sfen).legalMoves().find((usi) => {
      const position = new Position(sfen);
      if (usi.slice(0, 4) === line[0].slice(0, 4)) return false;
      position.push(usi);
      return position.isCheck && position.legalMoves().length > 0;
    });
  })`);
  assert.ok(usi, "the problem has another check");
  await page.click(square(usi[1] === "*" ? usi[0] : usi.slice(0, 2)));
  await page.click(square(usi.slice(2, 4)));
  await new Promise((resolve) => setTimeout(resolve, 60));
  if (await page.eval("Boolean(document.querySelector('#promotion[open]'))")) {
    await page.click(usi.endsWith("+") ? "#promotion .koma.promoted" : "#promotion .koma:not(.promoted)");
  }
  await page.until("/does not mate|mates as well/.test(document.querySelector('#tsume .verdict').textContent)");
});

await part("the editor sets up a position and checks it", desktop, async (page) => {
  await mode(page, "edit");
  await page.click("#clear");
  await page.until("/Not playable/.test(document.querySelector('#verdict').textContent)");
  await page.click('.box [data-kind="K"]');
  await page.select("#box-side", "white");
  await page.click(square("5a"));
  await page.until("document.querySelector('#verdict').classList.contains('right')");
  await page.select("#box-side", "black");
  await page.click('.box [data-kind="P"]');
  await page.click(square("5c"));
  await page.click('.box [data-kind="P"]');
  await page.click('.box [data-kind="G"]');
  await page.click('.stand[data-at="black"]');
  await page.click('.box [data-kind="G"]');
  await page.click("#tsume-set");
  await page.until("document.querySelector('#sfen').value === '4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1'");
  await picture(page, "editor");
  await page.drag(square("5c"), square("4c"));
  await page.click(square("4c"));
  await page.click(square("4c"));
  await page.until("document.querySelector('#sfen').value.startsWith('4k4/9/5+P3/')");
  await page.click("#use");
  await page.until("document.body.dataset.mode === 'study'");
  assert.match(await sfen(page), /^4k4\/9\/5\+P3\/9/);
});

await part("a game against level 1: moves, taking back, a hint, resigning", desktop, async (page) => {
  await newGame(page);
  await mode(page, "play");
  await page.select("#side", "black");
  await page.select("#level", 1);
  await page.select("#handicap", await page.eval("document.querySelector('#handicap option').value"));
  await page.click("#begin");
  for (const [index, [from, to]] of [["7g", "7f"], ["2g", "2f"]].entries()) {
    await page.click(square(from));
    await page.click(square(to));
    await page.until(`document.querySelectorAll('.list li[data-node]').length === ${3 + 2 * index}`, "the engine answers");
    await page.until("!document.querySelector('#hint').disabled");
  }
  await page.click("#take-back");
  await page.until("document.querySelectorAll('.list li[data-node]').length === 3");
  await page.click("#hint");
  await page.until("document.querySelectorAll('#picture .kd-arrow').length === 1");
  await picture(page, "play");
  await page.click("#resign");
  await page.until("/The engine wins/.test(document.querySelector('#play .verdict').textContent)");
  await page.click("#review");
  await page.until("document.body.dataset.mode === 'study'");
});

await part("level 0 answers within its time", phone, async (page) => {
  await mode(page, "play");
  await page.select("#side", "white");
  await page.select("#level", 0);
  await page.select("#seconds", 1);
  await page.click("#begin");
  await page.until("document.querySelectorAll('.list li[data-node]').length === 2");
  assert.ok(await page.eval("document.querySelector('#board').classList.contains('flipped')"));
  await picture(page, "play-phone");
  await page.click("#resign");
});

await part("a whole game is analysed on a phone, and a variation is shown", phone, async (page) => {
  await mode(page, "study");
  await paste(page, "startpos moves 7g7f 3c3d 8h3c 2b3c 5i5h 8c8d");
  await page.select("#game-nodes", 5000);
  await page.tap("#analyse-game");
  await page.until("document.querySelectorAll('.list li .v').length === 7", "the analysis ends", 40);
  await page.until("document.querySelector('#analyse-game').textContent === '棋譜解析'");
  await page.tap(".list li:nth-child(4) a");
  await page.until("document.querySelector('.list li.now b').textContent === '3'");
  await page.tap(square("3a"));
  await page.tap(square("4b"));
  await page.until("document.querySelector('.fork')");
  await page.tap(".fork");
  await page.until("document.querySelectorAll('.list li[data-node]').length === 7");
  await page.eval("scrollTo(0, 0)");
  await fits(page);
  await picture(page, "game-phone", true);
});

await part("links hold a position and a whole game", desktop, async (page) => {
  await paste(page, "startpos moves 7g7f 3c3d 2g2f 8c8d");
  await page.click("#last");
  await page.until("document.querySelector('.list li.now b').textContent === '4'");
  await page.click("#back");
  await page.click("#show-share");
  const [game, position] = await page.eval("['#game-link', '#position-link'].map((id) => document.querySelector(id).value)");
  const here = await sfen(page);
  await page.click("#sharing .close");
  assert.ok(game.length < site.url.length + 60, `short: ${game}`);
  const other = await browser.page({ width: 800, height: 700 });
  await other.open(game);
  assert.equal(await sfen(other), here);
  assert.equal(await list(other), 4);
  const third = await browser.page({ width: 800, height: 700 });
  await third.open(position);
  assert.equal(await sfen(third), here);
  const fourth = await browser.page({ width: 800, height: 700 });
  await fourth.open(`${site.url}#usen=nonsense`);
  await fourth.until("/The address holds no game/.test(document.querySelector('#message').textContent)");
  assert.equal(await list(fourth), 0);
  assert.deepEqual([...other.faults, ...third.faults, ...fourth.faults], []);
  await fourth.close();
  await other.close();
  await third.close();
});

await part("settings change language and colours, and survive a reload", phone, async (page) => {
  await page.click("#show-settings");
  await page.select("#language", "en");
  await page.until("document.documentElement.lang === 'en' && document.querySelector('#settings-title')?.textContent === 'Settings'");
  await page.select("#theme", "light");
  await page.until("getComputedStyle(document.body).backgroundColor === 'rgb(250, 247, 240)'");
  await picture(page, "settings-phone");
  await page.reload();
  assert.equal(await page.eval("document.documentElement.lang"), "en");
  assert.equal(await page.eval("getComputedStyle(document.body).backgroundColor"), "rgb(250, 247, 240)");
});

await part("another network is used, kept, and given up; a bad file is refused", desktop, async (page) => {
  const load = async (file) => {
    await page.click("#show-settings");
    const { root } = await page.send("DOM.getDocument");
    const { nodeId } = await page.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#network" });
    await page.send("DOM.setFileInputFiles", { nodeId, files: [file] });
  };
  await load(`${samples}kfj__kif_henka.kif`);
  await page.until("/cannot be used/.test(document.querySelector('#message').textContent)");
  await page.eval("document.querySelector('#settings').close()");
  await load(network);
  await page.until("document.querySelector('#settings b')?.textContent === 'network.nnue'");
  await page.reload();
  await mode(page, "study");
  await page.click("#analyse");
  await page.until("document.querySelectorAll('#lines li').length > 0", "the kept network searches");
  await page.click("#analyse");
  await page.click("#show-settings");
  assert.equal(await page.eval("document.querySelector('#settings b').textContent"), "network.nnue");
  await page.click("#settings .row button:last-child");
  await page.until("document.querySelector('#settings b')?.textContent === 'the bundled one'");
  await page.eval("document.querySelector('#settings').close()");
});

for (const [name, page] of [["1280", desktop], ["390", phone]]) {
  await part(`nothing overflows in any mode at ${name} px, in both languages`, page, async () => {
    for (const language of ["en", "ja"]) {
      for (const theme of ["light", "dark"]) {
        await page.eval(`import(new URL("js/state.js", document.baseURI)).then(({ set }) => set({ language: "${language}", theme: "${theme}" }))`);
        for (const one of ["study", "play", "tsume", "edit"]) {
          await mode(page, one);
          await fits(page);
          await picture(page, `${name}-${language}-${theme}-${one}`);
        }
      }
    }
  });
}

await part("works offline when the server has ended", desktop, async (page) => {
  await page.eval("navigator.serviceWorker.ready.then(() => true)");
  await page.until("navigator.serviceWorker.controller !== null || location.reload()", "the service worker controls the page");
  await mode(page, "study");
  await site.close();
  page.faults.length = 0;
  await page.reload();
  await paste(page, "startpos moves 7g7f 3c3d");
  await page.until("document.querySelectorAll('.list li[data-node]').length === 3");
  await page.click("#analyse");
  await page.until("document.querySelectorAll('#lines li').length > 0", "the engine starts without a server");
  await page.click("#analyse");
});

await browser.close();
await site.close().catch(() => {});
console.log(failed ? `${failed} parts failed` : "all parts passed");
process.exit(failed ? 1 : 0);
