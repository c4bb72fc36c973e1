import { join } from "node:path"
import { hostContract } from "@signalbox/testing/contracts"
import { pickScope } from "../../../vitest.scope.ts"
import { makeH3 } from "./hosts/h3.ts"
import { makeHono } from "./hosts/hono.ts"
import { current } from "./hosts/Host.ts"
import { makeNext } from "./hosts/next.ts"
import { makeNitro } from "./hosts/nitro.ts"
import { makeSveltekit } from "./hosts/sveltekit.ts"

const toApp = (name: string): string => join(import.meta.dirname, name)
const hosts = pickScope({
  full: () => [
    makeHono(current),
    makeH3(current),
    makeNext(current, toApp("next"), 16),
    makeNitro(current, toApp("nitro")),
    makeSveltekit(current, toApp("sveltekit"), 3)
  ],
  sample: () => [makeHono(current)]
})
for (const { makeHarness, name, traits } of hosts()) hostContract(name, makeHarness, traits)
