// The package under test: that of `build`, or of the folder in KOMADAI_PACKAGE.

import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const folder = resolve(process.env.KOMADAI_PACKAGE ?? fileURLToPath(new URL("../pkg", import.meta.url)));

/** Imports a module of the package. */
export const load = (name) => import(pathToFileURL(resolve(folder, name)));
