#!/usr/bin/env node
/** The program `signalbox`. */
import { runMain } from "./runMain.ts"

runMain(new URL("../package.json", import.meta.url))
