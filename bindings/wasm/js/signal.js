// Requests to a search that keeps its worker's thread busy.

const isNode = typeof process === "object" && process.versions?.node !== undefined;

/** True if memory can be shared with a worker: in Node, and in pages that are cross-origin isolated. */
const canShare =
    typeof SharedArrayBuffer === "function" && (isNode || globalThis.crossOriginIsolated === true);

/**
 * Makes the signal of one search. Its `message` goes to the worker, which looks at it during the search: shared memory,
 * or else URLs of blobs, each of which can be read until it is revoked. `stop` counts more than `ponderHit`.
 */
export function createSignal({ share = canShare, ponders = false } = {}) {
    if (share) {
        const flags = new Int32Array(new SharedArrayBuffer(4));
        return {
            message: { shared: flags.buffer },
            stop: () => void Atomics.store(flags, 0, 1),
            ponderHit: () => void Atomics.compareExchange(flags, 0, 0, 2),
            dispose() {},
        };
    }
    const message = { stop: blobUrl(), ponderHit: ponders ? blobUrl() : undefined };
    const revoke = (url) => url && URL.revokeObjectURL(url);
    return {
        message,
        stop: () => revoke(message.stop),
        ponderHit: () => revoke(message.ponderHit),
        dispose() {
            revoke(message.stop);
            revoke(message.ponderHit);
        },
    };
}

function blobUrl() {
    return URL.createObjectURL(new Blob(["go on"]));
}
