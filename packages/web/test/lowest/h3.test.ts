import { hostContract } from "@signalbox/testing/contracts"
import { installLowest } from "../../../../vitest.lowest.ts"
import { makeH3 } from "../hosts/h3.ts"

const { makeHarness, name, traits } = makeH3(installLowest("h3"))
hostContract(name, makeHarness, traits)
