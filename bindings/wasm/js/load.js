// The WebAssembly module: its choice, its loading, its only instance on this thread.

import { KomadaiError } from "./errors.js";
import instantiate from "./native.js";

/** A module with one vector instruction. */
const VECTORS = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

let loading;

/** The compiled module, which workers take over; `undefined` before `init`. */
export let compiled;

let memory;

/** Returns the size of the module's memory, which never shrinks. */
export function memoryBytes() {
    return memory.buffer.byteLength;
}

/** Returns true if the platform has vector instructions, so that the faster build can be used. */
export function hasSimd() {
    return WebAssembly.validate(VECTORS);
}

/** Loads the module, once. */
export default function init(options = {}) {
    loading ??= load(options.wasm).catch((error) => {
        loading = undefined;
        throw error;
    });
    return loading;
}

/** Returns the name of the build for this platform. */
export function wasmName() {
    return hasSimd() ? "komadai_simd.wasm" : "komadai.wasm";
}

async function load(source) {
    const own = hasSimd()
        ? new URL("./komadai_simd.wasm", import.meta.url)
        : new URL("./komadai.wasm", import.meta.url);
    compiled = await compile(source ?? own);
    ({ memory } = await instantiate({ module_or_path: compiled }));
}

async function compile(promised) {
    let source = await promised;
    if (source instanceof WebAssembly.Module) {
        return source;
    }
    if (typeof source === "string" || source instanceof URL) {
        source = await read(source);
    }
    if (typeof Response === "function" && source instanceof Response) {
        if (!source.ok) {
            throw new KomadaiError("load", `${source.url}: found the status ${source.status}, expected a module`);
        }
        source = await source.arrayBuffer();
    }
    return WebAssembly.compile(source);
}

/** Returns the bytes at a URL. */
export async function bytesAt(url) {
    const found = await read(url);
    if (found instanceof Uint8Array) {
        return found;
    }
    if (!found.ok) {
        throw new KomadaiError("load", `${found.url}: found the status ${found.status}, expected a file`);
    }
    return new Uint8Array(await found.arrayBuffer());
}

/** Reads a URL: a response, or the bytes of a file, which Node cannot fetch. */
async function read(url) {
    const base = globalThis.document?.baseURI ?? globalThis.location?.href ?? import.meta.url;
    const absolute = new URL(url, base);
    if (absolute.protocol !== "file:" || typeof process !== "object") {
        return fetch(absolute);
    }
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
    return readFile(absolute);
}
