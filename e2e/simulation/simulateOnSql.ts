/** `packages/testing/test/simulation/simulate.ts` with the SQL of the product, on a database of its own for each world. */
import { sqlite } from "@signalbox/sql"
import * as Layer from "effect/Layer"
import { printSeeds } from "../../packages/testing/test/simulation/printSeeds.ts"

// Batches would be those of the server.
await printSeeds(() => ({
  stores: Layer.orDie(sqlite({ path: ":memory:", batchIntervalMillis: 0 }))
}))
process.exit(0)
