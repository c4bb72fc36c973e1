import { AccountId, defaultWorkspaceId, GenerationId, NanoUsd } from "@signalbox/core"
import {
  type CalibrationSample,
  CalibrationStore,
  GenerationStore,
  LedgerStore,
  type Limit
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { assert, it } from "vitest"
import { purgeExpired } from "../src/purgeExpired.ts"
import { emptyStores } from "./databases.ts"

const dayMillis = 86_400_000
const account = AccountId.make("default")
const toGenerationId = (number: number) =>
  GenerationId.make(`gen-dec-0-${String(number).padStart(20, "0")}`)

const makeLimit = (endsAt: number): Limit => ({
  kind: "key",
  id: "a key",
  interval: "daily",
  window: String(endsAt),
  endsAt,
  cap: NanoUsd.make(10n),
  countsByok: false
})

it.each(Object.entries(emptyStores({ batchIntervalMillis: 0 })))(
  "%s purges all expired records and nothing else",
  (_, stores) =>
    Effect.gen(function* () {
      const generations = yield* GenerationStore
      const ledger = yield* LedgerStore
      const sql = yield* SqlClient.SqlClient
      for (let day = 0; day < 1_100; day++) {
        yield* generations.record([
          {
            id: toGenerationId(day),
            account,
            workspace: defaultWorkspaceId,
            operation: "decisions",
            startedAt: day * dayMillis,
            latencyMillis: 0,
            configuration: 1,
            requestedModel: "a/b",
            attempts: [],
            rejected: [],
            demoted: []
          }
        ])
      }
      const reserve = (endsAt: number) =>
        ledger.reserve({
          account,
          limits: [makeLimit(endsAt)],
          amount: NanoUsd.make(1n),
          leaseMillis: 10_000 * dayMillis
        })
      yield* ledger.settle(yield* reserve(dayMillis), NanoUsd.make(1n))
      yield* reserve(2 * dayMillis)
      yield* ledger.settle(yield* reserve(1_099 * dayMillis), NanoUsd.make(1n))
      yield* ledger.settle(yield* reserve(Infinity), NanoUsd.make(1n))

      const calibration = yield* CalibrationStore
      const toSample = (day: number): CalibrationSample => ({
        account,
        generation: toGenerationId(day),
        name: "00000000000000aa",
        question: "00000000000000bb",
        model: "a/b",
        method: "stated",
        kind: "noul",
        probabilities: [0.5, 0.5],
        label: 0,
        weight: 1,
        askedAt: day * dayMillis,
        labeledAt: 1_099 * dayMillis
      })
      yield* calibration.label([toSample(1_089), toSample(1_090)])
      const { epoch } = yield* calibration.load(account, "00")
      for (const [model, day] of [
        ["a/b", 1_008],
        ["c/d", 1_010]
      ] as const) {
        const fitted = { fittedAt: day * dayMillis, maps: [] }
        yield* calibration.saveMaps(
          account,
          { model, method: "stated", kind: "noul", fitted },
          epoch
        )
      }

      yield* TestClock.setTime(1_099.5 * dayMillis)
      yield* purgeExpired({ generationRetentionMillis: 10 * dayMillis })

      assert.isUndefined(yield* generations.find(account, toGenerationId(1_089)))
      assert.isDefined(yield* generations.find(account, toGenerationId(1_090)))
      assert.lengthOf(yield* sql`SELECT id FROM generations`, 10)
      assert.deepStrictEqual(yield* calibration.listSamples({ account }, 10), [toSample(1_090)])
      const { maps } = yield* calibration.load(account, "00")
      assert.deepStrictEqual(
        maps.map(({ model }) => model),
        ["c/d"]
      )
      // Purged: the one that ended long ago. The others are in use, ended recently or never end.
      assert.lengthOf(yield* sql`SELECT counter_key FROM limit_counters`, 3)
    }).pipe(Effect.provide(Layer.merge(stores(), TestClock.layer())), Effect.runPromise)
)
