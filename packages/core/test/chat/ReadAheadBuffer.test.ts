import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { makeReadAheadBuffer } from "../../src/chat/ReadAheadBuffer.ts"

const large = { content: "x".repeat(1_000_000) }

describe("readAhead", () => {
  it.effect("64 large pieces waited for a slow reader, however large they were", () =>
    Effect.gen(function* () {
      const ahead = yield* makeReadAheadBuffer<typeof large>()
      const all = Array.from({ length: 64 }, () => large)
      let pushed = 0
      const fiber = yield* Effect.forkChild(
        Effect.forEach(all, (piece) =>
          Effect.tap(ahead.push([piece]), () => Effect.sync(() => void pushed++))
        ),
        { startImmediately: true }
      )
      assert.strictEqual(pushed, 1)
      assert.isTrue(ahead.isFull())
      const reading = yield* Effect.forkChild(Stream.runCount(ahead.pieces))
      yield* Fiber.join(fiber)
      ahead.end()
      assert.strictEqual(yield* Fiber.join(reading), 64)
    })
  )

  it.effect("lets some small ones wait, hands all of them on in order, and then its end", () =>
    Effect.gen(function* () {
      const ahead = yield* makeReadAheadBuffer<number, string>()
      const all = Array.from({ length: 1_000 }, (_, i) => i)
      const pushing = yield* Effect.forkChild(ahead.push(all), { startImmediately: true })
      assert.isTrue(ahead.isFull())
      assert.isUndefined(pushing.pollUnsafe())
      const seen: Array<number> = []
      const reading = yield* Effect.forkChild(
        Stream.runForEach(ahead.pieces, (n) => Effect.sync(() => seen.push(n)))
      )
      yield* Fiber.join(pushing)
      ahead.end()
      yield* Fiber.join(reading)
      assert.deepStrictEqual(seen, all)
    })
  )

  it.effect("does not wait behind the last piece that has room", () =>
    Effect.gen(function* () {
      const ahead = yield* makeReadAheadBuffer<typeof large>()
      yield* ahead.push([large])
      assert.isTrue(ahead.isFull())
      yield* ahead.push([])
    })
  )
})
