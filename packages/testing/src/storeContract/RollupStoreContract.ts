/** A test suite for implementations of `RollupStore`. */
import {
  type AccountId,
  bucketMillis,
  defaultWorkspaceId,
  type Dimension,
  dimensions,
  GenerationStore,
  NanoUsd,
  resolutions,
  RollupStore
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"
import { day, listDay, makeGeneration, sumDay } from "./rollupDay.ts"
import { testRollupBounds } from "./testRollupBounds.ts"

const { hour, minute } = bucketMillis

const listEverything = (account: AccountId) =>
  Effect.forEach(resolutions, (resolution) =>
    Effect.forEach(dimensions, (dimension) => listDay(account, resolution, dimension))
  )

/**
 * Declares the tests in a vitest file: `RollupStoreContract("postgres", layer)`. The layer has the port and the
 * `GenerationStore` that adds to it.
 */
export const RollupStoreContract = (
  implementation: string,
  layer: Layer.Layer<GenerationStore | RollupStore, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`RollupStore: ${implementation}`, () => {
    it("adds requests up by minute, hour and day, exactly", () =>
      run(
        Effect.gen(function* () {
          const store = yield* RollupStore
          const account = fresh.makeAccountId()
          const starts = [day, day + 59_999, day + minute, day + 3 * hour]
          // Above the safe integers.
          const cost = NanoUsd.make(9_007_199_254_740_993n)
          yield* store.add(
            starts.map((startedAt, at) =>
              makeGeneration(account, {
                startedAt,
                cost,
                cache:
                  at === 0
                    ? { status: "miss" }
                    : { status: "hit", source: fresh.makeGenerationId(), saved: cost },
                usage: { inputTokens: 7, outputTokens: 2, cachedTokens: 3, reasoningTokens: 1 }
              })
            )
          )
          for (const [resolution, counts] of [
            ["minute", [2, 1, 1]],
            ["hour", [3, 1]],
            ["day", [4]]
          ] as const) {
            const buckets = yield* listDay(account, resolution, "total")
            assert.deepStrictEqual(
              buckets.map(({ values }) => values.get(null)?.requests),
              Array.from(counts)
            )
            const { cachedTokens, inputTokens, latency, outputTokens, reasoningTokens, ...rest } =
              yield* sumDay(account, resolution, "total")
            assert.deepStrictEqual(
              [inputTokens, outputTokens, cachedTokens, reasoningTokens],
              [28, 8, 12, 4]
            )
            assert.strictEqual(rest.cost, 4n * cost)
            assert.deepStrictEqual(
              [rest.cacheHits, rest.cacheMisses, rest.saved],
              [3, 1, 3n * cost]
            )
            assert.strictEqual(latency.count, 4)
          }
          assert.deepStrictEqual(
            (yield* listDay(account, "minute", "total")).map(({ startedAt }) => startedAt),
            [day, day + minute, day + 3 * hour]
          )
        })
      ))

    it("tells the values of every dimension apart", () =>
      run(
        Effect.gen(function* () {
          const store = yield* RollupStore
          const account = fresh.makeAccountId()
          const keyHash = fresh.makeKeyHash()
          yield* store.add([
            makeGeneration(account, {
              keyHash,
              model: "a/b-1",
              user: "__proto__",
              externalUser: "another",
              preset: "one/calm",
              tags: JSON.parse('{"customer":"acme","__proto__":"odd"}'),
              attempts: [
                { endpoint: "a/b@one", provider: "One", outcome: "timeout", latencyMillis: 7 },
                { endpoint: "a/b@two", provider: "Two", outcome: "served", latencyMillis: 5 }
              ]
            }),
            makeGeneration(account, { error: "AttemptsFailed", operation: "decisions" })
          ])
          const readValues = Effect.fnUntraced(function* (dimension: Dimension) {
            const [bucket] = yield* listDay(account, "hour", dimension)
            return Array.from(
              bucket?.values ?? [],
              ([value, { errors, requests }]) => [value, requests, errors] as const
            ).toSorted(([one], [that]) => String(one).localeCompare(String(that)))
          })
          assert.deepStrictEqual(yield* readValues("total"), [[null, 2, 1]])
          assert.deepStrictEqual(yield* readValues("outcome"), [
            ["answered", 1, 0],
            ["AttemptsFailed", 1, 1]
          ])
          assert.deepStrictEqual(yield* readValues("operation"), [
            ["chat", 1, 0],
            ["decisions", 1, 1]
          ])
          assert.deepStrictEqual(yield* readValues("model"), [
            ["a/b", 1, 1],
            ["a/b-1", 1, 0]
          ])
          assert.deepStrictEqual(yield* readValues("provider"), [
            ["One", 1, 1],
            ["Two", 1, 0]
          ])
          assert.deepStrictEqual(yield* readValues("endpoint"), [
            ["a/b@one", 1, 1],
            ["a/b@two", 1, 0]
          ])
          assert.deepStrictEqual(yield* readValues("workspace"), [[defaultWorkspaceId, 2, 1]])
          assert.sameDeepMembers(yield* readValues("key"), [
            [keyHash, 1, 0],
            [null, 1, 1]
          ])
          assert.sameDeepMembers(yield* readValues("user"), [
            ["__proto__", 1, 0],
            [null, 1, 1]
          ])
          assert.sameDeepMembers(yield* readValues("external_user"), [
            ["another", 1, 0],
            [null, 1, 1]
          ])
          // Of a preset, a tag and a pair only the requests that have it.
          assert.deepStrictEqual(yield* readValues("preset"), [["one/calm", 1, 0]])
          assert.deepStrictEqual(yield* readValues("tag:customer"), [["acme", 1, 0]])
          assert.deepStrictEqual(yield* readValues("tag:__proto__"), [["odd", 1, 0]])
          assert.deepStrictEqual(yield* readValues("tag:none"), [])
          assert.deepStrictEqual(yield* readValues("workspace,model"), [
            [JSON.stringify([defaultWorkspaceId, "a/b-1"]), 1, 0],
            [JSON.stringify([defaultWorkspaceId, "a/b"]), 1, 1]
          ])
          assert.deepStrictEqual(yield* readValues("user,model"), [
            [JSON.stringify(["__proto__", "a/b-1"]), 1, 0]
          ])
        })
      ))

    it("returns the same before and after compaction, and counts late requests in old buckets", () =>
      run(
        Effect.gen(function* () {
          const store = yield* RollupStore
          const account = fresh.makeAccountId()
          yield* TestClock.setTime(day)
          for (let n = 0; n < 10; n++) {
            yield* store.add([makeGeneration(account, { startedAt: day + n * 20_000 })])
          }
          const added = yield* listEverything(account)
          yield* store.compact()
          assert.deepStrictEqual(yield* listEverything(account), added)
          yield* TestClock.setTime(day + 2 * hour)
          yield* store.compact()
          assert.deepStrictEqual(yield* listEverything(account), added)
          yield* store.add([makeGeneration(account)])
          yield* TestClock.setTime(day + 3 * hour)
          yield* store.compact()
          const [first] = yield* listDay(account, "minute", "total")
          assert.strictEqual(first?.values.get(null)?.requests, 4)
        })
      ))

    it("loses nothing and counts nothing twice while others add, read and compact", () =>
      run(
        Effect.gen(function* () {
          const store = yield* RollupStore
          const account = fresh.makeAccountId()
          yield* TestClock.setTime(day + 2 * hour)
          let begun = 0
          let added = 0
          const add = Effect.suspend(() => {
            begun += 1
            return Effect.tap(
              store.add([
                makeGeneration(account, {
                  startedAt: day + (begun % 5) * minute,
                  cost: NanoUsd.make(3n)
                })
              ]),
              () => Effect.sync(() => (added += 1))
            )
          })
          const check = Effect.gen(function* () {
            const before = added
            const { requests } = yield* sumDay(account, "minute", "total")
            assert.isAtLeast(requests, before)
            assert.isAtMost(requests, begun)
          })
          const adds = Array.from({ length: 8 }, () => add)
          for (let round = 0; round < 6; round++) {
            yield* Effect.all(
              [...adds, store.compact(), ...adds, check, store.compact(), ...adds, check],
              { concurrency: "unbounded", discard: true }
            )
            // What is compacted is older than a minute in every other round.
            yield* TestClock.adjust(40_000)
          }
          yield* TestClock.adjust(2 * minute)
          yield* Effect.all([store.compact(), store.compact()], { concurrency: 2 })
          for (const resolution of resolutions) {
            const { cost, requests } = yield* sumDay(account, resolution, "total")
            assert.strictEqual(requests, added)
            assert.strictEqual(cost, NanoUsd.make(3n * BigInt(added)))
          }
        })
      ))

    testRollupBounds(run)

    it("returns only the rollups of the account", () =>
      run(
        Effect.gen(function* () {
          const store = yield* RollupStore
          const account = fresh.makeAccountId()
          const another = fresh.makeAccountId()
          yield* TestClock.setTime(day)
          yield* store.add([
            makeGeneration(account),
            makeGeneration(another),
            makeGeneration(another)
          ])
          for (const wait of [0, 2 * hour]) {
            yield* TestClock.adjust(wait)
            yield* store.compact()
            assert.strictEqual((yield* sumDay(account, "day", "total")).requests, 1)
            assert.strictEqual((yield* sumDay(another, "day", "total")).requests, 2)
            assert.deepStrictEqual(yield* listDay(fresh.makeAccountId(), "day", "total"), [])
          }
        })
      ))

    it("counts a record once, however often it is stored", () =>
      run(
        Effect.gen(function* () {
          const generations = yield* GenerationStore
          const account = fresh.makeAccountId()
          const generation = makeGeneration(account)
          yield* generations.record([generation])
          assert.strictEqual((yield* sumDay(account, "minute", "total")).requests, 1)
          yield* generations.record([makeGeneration(account), generation])
          assert.strictEqual((yield* sumDay(account, "minute", "total")).requests, 2)
        })
      ))

    it("purges each resolution after its retention", () =>
      run(
        Effect.gen(function* () {
          const store = yield* RollupStore
          const account = fresh.makeAccountId()
          yield* TestClock.setTime(day)
          yield* store.add([makeGeneration(account)])
          const countBuckets = Effect.forEach(resolutions, (resolution) =>
            Effect.map(listDay(account, resolution, "total"), ({ length }) => length)
          )
          for (const [days, expected] of [
            [1, [1, 1, 1]],
            [3, [0, 1, 1]],
            [91, [0, 0, 1]],
            [731, [0, 0, 0]]
          ] as const) {
            yield* TestClock.setTime(day + days * bucketMillis.day)
            yield* store.compact()
            yield* store.purgeExpired()
            assert.deepStrictEqual(yield* countBuckets, [...expected], `after ${days} days`)
          }
        })
      ))
  })
}
