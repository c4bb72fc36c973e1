import { hostContract } from "@signalbox/testing/contracts"
import { pickScope } from "../../../vitest.scope.ts"
import { h3 } from "./hosts/h3.ts"
import { hono } from "./hosts/hono.ts"
import { next } from "./hosts/next.ts"
import { nitro } from "./hosts/nitro.ts"
import { sveltekit } from "./hosts/sveltekit.ts"

const hosts = pickScope({ full: [hono, h3, next, nitro, sveltekit], sample: [hono] })
for (const { makeHarness, name, traits } of hosts) hostContract(name, makeHarness, traits)
