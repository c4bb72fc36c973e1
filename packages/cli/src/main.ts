#!/usr/bin/env node
/** The program `signalbox`. */
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// Not in the folder for temporary files, where others may write code.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache", import.meta.url)))

// An import above would compile everything before the cache is enabled.
const { runMain } = await import("./runMain.ts")
runMain(new URL("../package.json", import.meta.url))
