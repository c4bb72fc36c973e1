/** `packages/testing/test/simulation/simulate.ts` with the SQL of the product, on a database of its own for each world. */
import { sqlite } from "@signalbox/sql"
import * as Layer from "effect/Layer"
import { printSeeds } from "../../packages/testing/test/simulation/printSeeds.ts"
import { layerWorldClock } from "./worldClock.ts"

// Batches would be those of the server.
const stores = sqlite({ path: ":memory:", batchIntervalMillis: 0 })

await printSeeds("e2e/simulation/simulateOnSql.ts", () => ({
  stores: Layer.orDie(Layer.provideMerge(layerWorldClock, stores))
}))
process.exit(0)
