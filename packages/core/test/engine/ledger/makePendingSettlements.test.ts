import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "@effect/vitest"
import { makePendingSettlements } from "../../../src/engine/ledger/makePendingSettlements.ts"
import { StoreUnavailable } from "../../../src/values/errors/StoreUnavailable.ts"

/** A settlement that waits for a store which is down. */
const makeWaiting = Effect.fnUntraced(function* () {
  const store = { isDown: true }
  const ended: Array<string> = []
  const scope = yield* Scope.make()
  const keep = yield* Scope.provide(makePendingSettlements, scope)
  keep({
    ending: Effect.suspend(() =>
      store.isDown
        ? Effect.die(new StoreUnavailable({ cause: new Error("no connection") }))
        : Effect.sync(() => void ended.push("settled"))
    ),
    onEnded: Effect.sync(() => void ended.push("counted"))
  })
  yield* TestClock.adjust("10 seconds")
  return { store, ended, close: Scope.close(scope, Exit.void) }
})

const readWaiting = Effect.map(Metric.snapshot, (metrics) =>
  metrics.flatMap(({ attributes, id, state }) =>
    id === "signalbox_queue_waiting" && attributes?.["queue"] === "settlements" && "value" in state
      ? [Number(state.value)]
      : []
  )
)

describe("a settlement that waits for the store", () => {
  it.effect("is counted as waiting until the store takes it", () =>
    Effect.gen(function* () {
      const { close, ended, store } = yield* makeWaiting()
      assert.deepStrictEqual(yield* readWaiting, [1])
      store.isDown = false
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(ended, ["settled", "counted"])
      assert.deepStrictEqual(yield* readWaiting, [0])
      yield* close
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("is settled if the store can be used again while the instance closes", () =>
    Effect.gen(function* () {
      const { close, ended, store } = yield* makeWaiting()
      const closing = yield* Effect.forkChild(close, { startImmediately: true })
      yield* TestClock.adjust("3 seconds")
      assert.isUndefined(closing.pollUnsafe())
      store.isDown = false
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(closing)
      assert.deepStrictEqual(ended, ["settled", "counted"])
    })
  )

  it.effect("delays the close for the timeout of the store at most", () =>
    Effect.gen(function* () {
      const { close, ended } = yield* makeWaiting()
      const closing = yield* Effect.forkChild(close, { startImmediately: true })
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(closing)
      assert.deepStrictEqual(ended, [])
    })
  )
})
