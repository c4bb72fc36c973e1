/** A test suite for implementations of `TrafficControlStore`. */
import { Transaction, type TrafficControl, TrafficControlStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import { makeRunTest } from "./makeRunTest.ts"

/**
 * Declares the tests in a vitest file: `TrafficControlStoreContract("postgres", layer)`. The layer has the store and its
 * transactions.
 */
export const TrafficControlStoreContract = (
  implementation: string,
  layer: Layer.Layer<TrafficControlStore | Transaction, unknown>
): void => {
  const run = makeRunTest(layer)

  describe(`TrafficControlStore: ${implementation}`, () => {
    it("stores a control, and hands it to the next change", () =>
      run(
        Effect.gen(function* () {
          const store = yield* TrafficControlStore
          const first = makeControl()
          const seen: Array<TrafficControl | undefined> = []
          const put = (control: TrafficControl) =>
            store.update(control, (before) => {
              seen.push(before)
              return Result.succeed(control)
            })
          assert.deepStrictEqual(yield* put(first), first)
          const second = { ...first, state: "drained", reason: "__proto__", version: 2 } as const
          yield* put(second)
          assert.deepStrictEqual(seen, [undefined, first])
          assert.deepStrictEqual(yield* listOf(first.id), [second])
        })
      ))

    it("tells an endpoint from a provider of the same name", () =>
      run(
        Effect.gen(function* () {
          const store = yield* TrafficControlStore
          const endpoint = makeControl({ id: `\u0000 ${crypto.randomUUID()}` })
          const provider = { ...endpoint, kind: "provider", weight: 0.5 } as const
          yield* store.update(endpoint, () => Result.succeed(endpoint))
          yield* store.update(provider, (before) => {
            assert.isUndefined(before)
            return Result.succeed(provider)
          })
          assert.sameDeepMembers(yield* listOf(endpoint.id), [endpoint, provider])
        })
      ))

    it("stores nothing when a change fails, or is rolled back", () =>
      run(
        Effect.gen(function* () {
          const store = yield* TrafficControlStore
          const { withTransaction } = yield* Transaction
          const control = makeControl()
          const failed = yield* Effect.flip(store.update(control, () => Result.fail("changed")))
          assert.strictEqual(failed, "changed")
          const rolledBack = store
            .update(control, () => Result.succeed(control))
            .pipe(Effect.andThen(Effect.fail("no")), withTransaction, Effect.flip)
          assert.strictEqual(yield* rolledBack, "no")
          assert.deepStrictEqual(yield* listOf(control.id), [])
        })
      ))

    it("loses none of the changes that are made at once", () =>
      run(
        Effect.gen(function* () {
          const store = yield* TrafficControlStore
          const control = makeControl({ version: 0 })
          yield* Effect.forEach(
            Array.from({ length: 10 }),
            () =>
              store.update(control, (before = control) =>
                Result.succeed({ ...before, version: before.version + 1 })
              ),
            { concurrency: "unbounded", discard: true }
          )
          assert.deepStrictEqual(yield* listOf(control.id), [{ ...control, version: 10 }])
        })
      ))
  })
}

const makeControl = (control: Partial<TrafficControl> = {}): TrafficControl => ({
  kind: "endpoint",
  id: `acme/model@${crypto.randomUUID()}`,
  state: "active",
  weight: 1,
  reason: null,
  version: 1,
  updated_at: "2026-11-30T12:00:00.000Z",
  ...control
})

const listOf = (id: string) =>
  Effect.gen(function* () {
    const { list } = yield* TrafficControlStore
    return (yield* list).filter((control) => control.id === id)
  })
