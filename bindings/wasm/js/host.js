// What a search exchanges with JavaScript while it runs: the time, requests to stop, reports.

/** Interval in milliseconds at which a request by a blob URL is looked for. */
const POLL_INTERVAL = 20;

let signal;
let receiver;
let lastPoll = 0;
/** False where the page's policy forbids to read blob URLs, so that one that cannot be read says nothing. */
let canPoll = true;

/** Returns whether requests can be looked for, by a signal that nobody has disposed of. */
export function probe(message) {
    canPoll = message.stop === undefined || canRead(message.stop);
    return canPoll;
}

/** Runs `search` with the signal of requests to it (see signal.js) and a receiver of its reports. */
export function during(message, receive, search) {
    signal = message?.shared ? { flags: new Int32Array(message.shared) } : { ...message };
    receiver = receive;
    lastPoll = now();
    try {
        return search();
    } finally {
        signal = receiver = undefined;
    }
}

/** Returns milliseconds since a fixed moment. */
export function now() {
    return performance.now();
}

/** Returns a request to the search that runs, each once: 0 none, 1 `stop`, 2 `ponderhit`. */
export function request() {
    if (signal?.flags) {
        return Atomics.load(signal.flags, 0) === 0 ? 0 : Atomics.exchange(signal.flags, 0, 0);
    }
    if (!canPoll || !(signal?.stop || signal?.ponderHit) || now() - lastPoll < POLL_INTERVAL) {
        return 0;
    }
    const name = ["stop", "ponderHit"].find((url) => signal[url] && !canRead(signal[url]));
    lastPoll = now();
    if (name === undefined) {
        return 0;
    }
    signal[name] = undefined;
    return name === "stop" ? 1 : 2;
}

/** Receives a report of the search that runs. */
export function report(text) {
    receiver?.(text);
}

/** Returns true if a blob URL can be read, on this thread and at once. */
function canRead(url) {
    try {
        const request = new XMLHttpRequest();
        request.open("GET", url, false);
        request.send();
        return true;
    } catch {
        return false;
    }
}
