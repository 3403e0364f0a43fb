// Chromium by its DevTools protocol, through a pipe: no package is needed.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAMES = [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome"].filter(Boolean);

/** Starts a browser with a profile of its own; null if there is none on this machine. */
export async function launch() {
  const profile = await mkdtemp(join(tmpdir(), "komadai-web-"));
  for (const name of NAMES) {
    const arguments_ = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-ipc-flooding-protection",
      "--remote-debugging-pipe", "--no-first-run", `--user-data-dir=${profile}`, "about:blank"];
    const child = spawn(name, arguments_, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    const started = await new Promise((resolve) => {
      child.once("error", () => resolve(false));
      child.once("spawn", () => resolve(true));
    });
    if (started) return new Browser(child, profile);
  }
  return null;
}

class Browser {
  constructor(child, profile) {
    Object.assign(this, { child, profile, next: 1, waiting: new Map(), pages: new Map(), rest: "" });
    child.stdio[4].setEncoding("utf8").on("data", (text) => {
      const messages = (this.rest + text).split("\0");
      this.rest = messages.pop();
      messages.forEach((message) => this.receive(JSON.parse(message)));
    });
  }

  receive({ id, method, params, sessionId, result, error }) {
    if (id) {
      const { resolve, reject } = this.waiting.get(id);
      this.waiting.delete(id);
      if (error) reject(new Error(error.message));
      else resolve(result);
    } else {
      this.pages.get(sessionId)?.event(method, params);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  /** Opens a tab in a profile of its own. `view` has width, height, mobile, dark, languages. */
  async page(view) {
    const { browserContextId } = await this.send("Target.createBrowserContext");
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    this.pages.set(sessionId, page);
    await page.start(view);
    return page;
  }

  async close() {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.send("Browser.close").catch(() => {});
    await ended;
    await rm(this.profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

class Page {
  constructor(browser, sessionId, targetId) {
    Object.assign(this, { browser, sessionId, targetId, faults: [], loaded: null });
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  event(method, params) {
    if (method === "Runtime.exceptionThrown") this.faults.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) {
      this.faults.push(params.args.map((arg) => arg.value ?? arg.description).join(" "));
    }
    if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) {
      this.faults.push(`${params.entry.text} ${params.entry.url ?? ""}`);
    }
    if (method === "Page.loadEventFired") this.loaded?.();
  }

  async start({ width, height, mobile = false, dark = false, languages = "en-US" }) {
    this.touch = mobile;
    for (const domain of ["Page", "Runtime", "Log"]) await this.send(`${domain}.enable`);
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, mobile, deviceScaleFactor: mobile ? 2 : 1 });
    await this.send("Emulation.setTouchEmulationEnabled", { enabled: mobile });
    await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    const { userAgent } = await this.browser.send("Browser.getVersion");
    await this.send("Emulation.setUserAgentOverride", { userAgent, acceptLanguage: languages });
  }

  /** Opens an address and waits for the page to have started. */
  async open(url) {
    const loaded = new Promise((resolve) => (this.loaded = resolve));
    await this.send("Page.navigate", { url });
    await loaded;
    await this.until("document.documentElement.classList.contains('js')", "the page has started");
  }

  async reload() {
    const loaded = new Promise((resolve) => (this.loaded = resolve));
    await this.send("Page.reload");
    await loaded;
    await this.until("document.documentElement.classList.contains('js')", "the page has started");
  }

  async eval(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  /** Waits until an expression is true, and returns its value. */
  async until(expression, what = expression, seconds = 20) {
    const end = Date.now() + 1000 * seconds;
    for (;;) {
      const value = await this.eval(expression).catch((error) => (/context|Inspected/.test(error.message) ? false : Promise.reject(error)));
      if (value) return value;
      if (Date.now() > end) throw new Error(`waited ${seconds} s in vain: ${what}\n${this.faults.join("\n")}`);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  }

  /** Returns the centre of the first element that fits a selector, after it was scrolled into view. */
  center(selector) {
    return this.eval(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      if (!element) throw new Error("no element ${selector.replaceAll('"', "'")}");
      (element.closest("#picture") ?? element).scrollIntoView({ block: "nearest" });
      const box = element.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    })()`);
  }

  async mouse(type, [x, y]) {
    await this.send("Input.dispatchMouseEvent", { type, x, y, button: type === "mouseMoved" ? "none" : "left", buttons: type === "mouseReleased" ? 0 : 1, clickCount: 1 });
  }

  /** Clicks on an element as a hand does: at its centre, where another element may lie over it. */
  async click(selector) {
    const at = await this.center(selector);
    await this.mouse("mousePressed", at);
    await this.mouse("mouseReleased", at);
  }

  async drag(from, to) {
    const [start, end] = [await this.center(from), await this.center(to)];
    await this.mouse("mousePressed", start);
    for (const share of [0.3, 0.7, 1]) {
      await this.mouse("mouseMoved", start.map((value, index) => value + share * (end[index] - value)));
    }
    await this.mouse("mouseReleased", end);
  }

  async tap(selector) {
    const [x, y] = await this.center(selector);
    await this.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
    await this.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }

  async touchDrag(from, to) {
    const [start, end] = [await this.center(from), await this.center(to)];
    const at = (share) => [{ x: start[0] + share * (end[0] - start[0]), y: start[1] + share * (end[1] - start[1]) }];
    await this.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
    for (const share of [0.3, 0.7, 1]) await this.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(share) });
    await this.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }

  async key(key) {
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, code: key === " " ? "Space" : key, text, windowsVirtualKeyCode: key === "Enter" ? 13 : key === " " ? 32 : undefined });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code: key === " " ? "Space" : key });
  }

  /** Chooses an option as a person does, with the event that follows. */
  select(selector, value) {
    return this.eval(`(() => {
      const select = document.querySelector(${JSON.stringify(selector)});
      select.value = ${JSON.stringify(String(value))};
      if (select.value !== ${JSON.stringify(String(value))}) throw new Error("no option ${value}");
      select.dispatchEvent(new Event("change", { bubbles: true }));
    })()`);
  }

  /** Returns a picture of the window, or of the whole page. */
  async screenshot(whole = false) {
    const { cssContentSize } = await this.send("Page.getLayoutMetrics");
    const clip = whole ? { ...cssContentSize, scale: 1 } : undefined;
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: whole, clip });
    return Buffer.from(data, "base64");
  }

  close() {
    return this.browser.send("Target.closeTarget", { targetId: this.targetId });
  }
}
