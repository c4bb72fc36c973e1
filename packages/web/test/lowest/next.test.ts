import { cpSync } from "node:fs"
import { join } from "node:path"
import { hostContract } from "@signalbox/testing/contracts"
import { installLowest } from "../../../../vitest.lowest.ts"
import { makeNext } from "../hosts/next.ts"

const folder = installLowest("next")
cpSync(join(import.meta.dirname, "../next/app"), join(folder, "app"), { recursive: true })
const { makeHarness, name, traits } = makeNext(folder, folder, 14)
hostContract(name, makeHarness, traits)
