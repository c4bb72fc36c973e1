import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { ReadAheadBuffer } from "../../../src/values/push/ReadAheadBuffer.ts"

const large = { content: "x".repeat(1_000_000) }

describe("ReadAheadBuffer", () => {
  it.effect("buffers fewer large pieces than small ones", () =>
    Effect.gen(function* () {
      const ahead = new ReadAheadBuffer<typeof large>()
      const all = Array.from({ length: 64 }, () => large)
      let pushed = 0
      const fiber = yield* Effect.forkChild(
        Effect.forEach(all, (piece) =>
          Effect.tap(ahead.push([piece]), () => Effect.sync(() => void pushed++))
        ),
        { startImmediately: true }
      )
      assert.strictEqual(pushed, 1)
      const reading = yield* Effect.forkChild(Stream.runCount(ahead.values))
      yield* Fiber.join(fiber)
      ahead.end(Exit.void)
      assert.strictEqual(yield* Fiber.join(reading), 64)
    })
  )

  it.effect("buffers small pieces, and passes them on in order until the end", () =>
    Effect.gen(function* () {
      const ahead = new ReadAheadBuffer<number, string>()
      const all = Array.from({ length: 1_000 }, (_, i) => i)
      const pushing = yield* Effect.forkChild(ahead.push(all), { startImmediately: true })
      assert.isUndefined(pushing.pollUnsafe())
      const seen: Array<number> = []
      const reading = yield* Effect.forkChild(
        Stream.runForEach(ahead.values, (n) => Effect.sync(() => seen.push(n)))
      )
      yield* Fiber.join(pushing)
      ahead.end(Exit.void)
      yield* Fiber.join(reading)
      assert.deepStrictEqual(seen, all)
    })
  )

  it.effect("does not wait after the last piece that fits", () =>
    Effect.gen(function* () {
      const ahead = new ReadAheadBuffer<typeof large>()
      yield* ahead.push([large])
      yield* ahead.push([])
      assert.isFalse(Exit.isExit(ahead.push([large])))
    })
  )
})
