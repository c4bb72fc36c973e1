import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { layerFleet } from "../../../src/domains/fleet/layerFleet.ts"
import { makeFleet } from "../../../src/domains/fleet/makeFleet.ts"
import { Catalog } from "../../../src/engine/catalog/Catalog.ts"
import * as Configuration from "../../../src/engine/catalog/Configuration.ts"
import { Health } from "../../../src/engine/health/Health.ts"
import { Drain } from "../../../src/instance/Drain.ts"
import { ProcessReports } from "../../../src/instance/ProcessReports.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { ThisProcess } from "../../../src/instance/ThisProcess.ts"
import { memoryRateLimitStore } from "../../../src/memory/memoryRateLimitStore.ts"
import { RateLimits } from "../../../src/tenants/auth/rateLimits/RateLimits.ts"

/** This process beside another, which is `ageMillis` old. */
const start = ({ hasSharedLimits = false, ageMillis = 0, isAway = false } = {}) => {
  const store = { ageMillis, isAway }
  const warnings: Array<string> = []
  const log = Logger.layer([Logger.make(({ message }) => void warnings.push(String(message)))])
  const parts = Layer.provideMerge(
    RateLimits.layer,
    Layer.mergeAll(
      memoryRateLimitStore,
      ThisProcess.layer,
      Layer.provideMerge(Health.layer, Settings.layer({})),
      Drain.layer,
      Layer.mock(Catalog, {
        current: () => Configuration.make(1, [], []),
        status: () => assert.fail("nobody asks")
      })
    )
  )
  const layer = Layer.provideMerge(
    Layer.effectDiscard(
      Effect.gen(function* () {
        const report = yield* (yield* makeFleet).self
        const other = JSON.stringify({ ...report, id: "other" })
        yield* Layer.build(layerFleet({ hasSharedLimits })).pipe(
          Effect.provideService(ProcessReports, {
            publish: () => (store.isAway ? Effect.die("away") : Effect.void),
            remove: () => Effect.void,
            list: Effect.sync(() => [{ id: "other", document: other, ageMillis: store.ageMillis }])
          })
        )
      })
    ),
    parts
  )
  return { store, warnings, layer: Layer.provideMerge(layer, log) }
}

const countOnce = RateLimits.use(({ take }) => take("ada", { requests: 100, windowMillis: 1_000 }))

describe("layerFleet", () => {
  it.effect("warns of limits that two processes count apart for a minute", () => {
    const { layer, warnings } = start()
    return Effect.gen(function* () {
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(warnings, [])
      yield* countOnce
      yield* TestClock.adjust("50 seconds")
      assert.deepStrictEqual(warnings, [])
      yield* TestClock.adjust("10 minutes")
      assert.lengthOf(warnings, 1)
      assert.match(warnings[0]!, /^each of the 2 processes on this store counts rate limits/)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    ["a store counts for both", { hasSharedLimits: true }],
    ["the other process is lost", { ageMillis: 16_000 }]
  ] as const)("warns of no limits when %s", ([, options]) => {
    const { layer, warnings } = start(options)
    return Effect.gen(function* () {
      yield* countOnce
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(warnings, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("knows how many processes there are, and remembers it while the store is away", () => {
    const { layer, store } = start()
    return Effect.gen(function* () {
      const self = yield* ThisProcess
      yield* TestClock.adjust(0)
      assert.strictEqual(self.fleetSize, 2)
      store.isAway = true
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(self.fleetSize, 2)
      store.isAway = false
      store.ageMillis = 16_000
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(self.fleetSize, 1)
    }).pipe(Effect.provide(layer))
  })
})
