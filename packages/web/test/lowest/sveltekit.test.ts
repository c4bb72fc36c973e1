import { cpSync } from "node:fs"
import { join } from "node:path"
import { hostContract } from "@signalbox/testing/contracts"
import { installLowest } from "../../../../vitest.lowest.ts"
import { makeSveltekit } from "../hosts/sveltekit.ts"

const folder = installLowest("sveltekit")
cpSync(join(import.meta.dirname, "../sveltekit/src"), join(folder, "src"), { recursive: true })
cpSync(join(import.meta.dirname, "sveltekit"), folder, { recursive: true })
const { makeHarness, name, traits } = makeSveltekit(folder, folder, 2)
hostContract(name, makeHarness, traits)
