// A worker of any platform.

const isNode = typeof process === "object" && process.versions?.node !== undefined;

/** Starts the engine's thread. `receive` gets its messages, `fail` the reason of its end. */
export async function startThread(receive, fail) {
    if (isNode) {
        const { Worker } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:worker_threads");
        const worker = new Worker(new URL("./worker.js", import.meta.url));
        worker.on("message", receive);
        worker.on("error", (error) => fail(error.message));
        return {
            post: (message) => worker.postMessage(message),
            // A program ends although its engines are idle.
            hold: () => worker.ref(),
            release: () => worker.unref(),
            end: () => void worker.terminate(),
        };
    }
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => receive(data);
    worker.onerror = (event) => fail(event.message || "the worker cannot be loaded");
    return {
        post: (message) => worker.postMessage(message),
        hold() {},
        release() {},
        end: () => worker.terminate(),
    };
}
