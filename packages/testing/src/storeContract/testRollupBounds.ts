/** Tests of how much a bucket of rollups keeps apart. */
import {
  bucketMillis,
  KeyHash,
  NanoUsd,
  resolutions,
  Rollup,
  RollupStore
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, it } from "vitest"
import * as fresh from "./fixtures.ts"
import type { makeRunTest } from "./makeRunTest.ts"
import { day, listDay, makeGeneration, sumDay, toUser } from "./rollupDay.ts"

const { minute } = bucketMillis

export const testRollupBounds = (run: ReturnType<typeof makeRunTest<RollupStore>>): void => {
  it("keeps the most important values of an ended bucket, and the rest as one", () =>
    run(
      Effect.gen(function* () {
        const store = yield* RollupStore
        const account = fresh.makeAccountId()

        yield* TestClock.setTime(day)
        const all = Array.from({ length: 300 }, (_, n) =>
          makeGeneration(account, {
            user: toUser(n),
            keyHash: KeyHash.make(n.toString(16).padStart(64, "0")),
            cost: NanoUsd.make(BigInt(n))
          })
        )
        yield* store.add([...all, ...all.slice(0, 100)])
        yield* TestClock.setTime(day + 2 * bucketMillis.day)
        yield* store.compact()
        for (const dimension of ["key", "user"] as const) {
          const [bucket] = yield* listDay(account, "minute", dimension)
          assert.isDefined(bucket)
          assert.strictEqual(bucket.values.size, 200)
          assert.isDefined(bucket.other)
          assert.strictEqual(Rollup.total(bucket).requests, 400)
          assert.strictEqual(
            Rollup.total(bucket).cost,
            NanoUsd.make((299n * 300n) / 2n + (99n * 100n) / 2n)
          )
        }
        const [bucket] = yield* listDay(account, "minute", "user")
        // The most frequent and the most expensive.
        for (const n of [99, 299]) assert.isTrue(bucket?.values.has(toUser(n)), toUser(n))
      })
    ))

  it("keeps more pairs than values, and the first tags alone", () =>
    run(
      Effect.gen(function* () {
        const store = yield* RollupStore
        const account = fresh.makeAccountId()
        yield* TestClock.setTime(day)
        for (let batch = 0; batch < 3; batch++) {
          yield* store.add(
            Array.from({ length: 500 }, (_, n) =>
              makeGeneration(account, {
                user: toUser(batch * 500 + n),
                tags: { [`tag-${batch * 20 + (n % 20)}`]: "x" }
              })
            )
          )
          yield* TestClock.adjust(2 * minute)
          yield* store.compact()
        }
        yield* TestClock.setTime(day + 2 * bucketMillis.day)
        yield* store.add([makeGeneration(account)])
        yield* TestClock.adjust(2 * minute)
        yield* store.compact()
        const [bucket] = yield* listDay(account, "minute", "user,model")
        assert.strictEqual(bucket?.values.size, 1_000)
        assert.strictEqual(bucket && Rollup.total(bucket).requests, 1_500)
        const tags = Array.from({ length: 60 }, (_, n) => `tag:tag-${n}` as const)
        for (const resolution of resolutions) {
          const counts = yield* Effect.forEach(tags, (tag) => sumDay(account, resolution, tag))
          assert.deepStrictEqual(
            counts.map(({ requests }) => requests),
            tags.map((_, n) => (n < 32 ? 25 : 0))
          )
        }
      })
    ))
}
