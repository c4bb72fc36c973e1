import { cpSync } from "node:fs"
import { join } from "node:path"
import { hostContract } from "@signalbox/testing/contracts"
import { installLowest } from "../../../../vitest.lowest.ts"
import { makeNitro } from "../hosts/nitro.ts"

const folder = installLowest("nitro")
cpSync(join(import.meta.dirname, "../nitro"), folder, { recursive: true })
const { makeHarness, name, traits } = makeNitro(folder, folder)
hostContract(name, makeHarness, traits)
