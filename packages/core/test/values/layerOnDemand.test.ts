import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { layerOnDemand } from "../../src/values/layerOnDemand.ts"

class Unit extends Context.Service<Unit, { readonly name: string }>()("test/Unit") {}

class Counter extends Context.Service<
  Counter,
  {
    readonly add: (by: number) => Effect.Effect<string>
    readonly total: Effect.Effect<number>
  }
>()("test/Counter") {}

/** A counter on demand, and what happened to the layer behind it. */
const makeCounter = ({ failures = 0 } = {}) => {
  const events: Array<string> = []
  const layerCounter = Layer.effect(
    Counter,
    Effect.gen(function* () {
      const { name } = yield* Unit
      let total = 0
      yield* Effect.acquireRelease(
        Effect.sync(() => void events.push("built")),
        () => Effect.sync(() => void events.push("released"))
      )
      return {
        add: (by) => Effect.sync(() => `${(total += by)} ${name}`),
        total: Effect.sync(() => total)
      }
    })
  )
  let left = failures
  const layer = layerOnDemand(Counter, { add: "call", total: "effect" }, async () => {
    events.push("loaded")
    if (left-- > 0) throw new Error("no such file")
    return layerCounter
  })
  return { events, layer: Layer.provide(layer, Layer.succeed(Unit, { name: "lamps" })) }
}

describe("a service on demand", () => {
  it.effect("is loaded and built with its first use, and released with its scope", () =>
    Effect.gen(function* () {
      const { events, layer } = makeCounter()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const counter = Context.get(yield* Layer.build(layer), Counter)
          assert.deepStrictEqual(events, [])
          const calls = [counter.add(2), counter.total, counter.total]
          assert.deepStrictEqual(yield* Effect.all(calls, { concurrency: "unbounded" }), [
            "2 lamps",
            2,
            2
          ])
          assert.deepStrictEqual(events, ["loaded", "built"])
          assert.strictEqual(yield* counter.add(3), "5 lamps")
        })
      )
      assert.deepStrictEqual(events, ["loaded", "built", "released"])
    })
  )

  it.effect("dies while it cannot be loaded, and is loaded by a later call", () =>
    Effect.gen(function* () {
      const { events, layer } = makeCounter({ failures: 1 })
      const counter = Context.get(yield* Layer.build(layer), Counter)
      assert.isTrue(Exit.hasDies(yield* Effect.exit(counter.total)))
      assert.strictEqual(yield* counter.total, 0)
      assert.deepStrictEqual(events, ["loaded", "loaded", "built"])
    })
  )

  it.effect("is another in each fresh layer", () =>
    Effect.gen(function* () {
      const { events, layer } = makeCounter()
      for (const each of [Layer.fresh(layer), Layer.fresh(layer)]) {
        const counter = Context.get(yield* Layer.build(each), Counter)
        assert.strictEqual(yield* counter.add(1), "1 lamps")
      }
      assert.deepStrictEqual(events, ["loaded", "built", "loaded", "built"])
    })
  )
})
