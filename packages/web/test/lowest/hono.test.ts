import { hostContract } from "@signalbox/testing/contracts"
import { installLowest } from "../../../../vitest.lowest.ts"
import { makeHono } from "../hosts/hono.ts"

const { makeHarness, name, traits } = makeHono(installLowest("hono"))
hostContract(name, makeHarness, traits)
