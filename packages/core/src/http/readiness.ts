/** Whether requests are welcome, and what is known of the endpoints. */
import * as Effect from "effect/Effect"
import { Catalog } from "../catalog/Catalog.ts"
import { Health } from "../health/Health.ts"
import type { Health as Readiness } from "./api/OperationsApi.ts"
import { Drain } from "./Drain.ts"

export const readiness = Effect.gen(function* () {
  const catalog = yield* Catalog
  const drain = yield* Drain
  const health = yield* Health
  return Effect.map(health.report, ({ at, endpoints }): Readiness => ({
    status: drain.isDraining() ? "draining" : "ready",
    models: catalog.models.length,
    running: drain.running(),
    at,
    endpoints
  }))
})
