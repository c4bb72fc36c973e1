import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { assert } from "vitest"
import { maxSyncBytes } from "../../../src/values/json/JsonCost.ts"
import { yieldForBytes } from "../../../src/values/json/yieldToEventLoop.ts"

/** Numbers the turns of the event loop. */
const countTicks = () => {
  let turn = 0
  let next: NodeJS.Immediate
  const count = () => {
    turn++
    next = setImmediate(count)
  }
  count()
  return { now: () => turn, stop: () => clearImmediate(next) }
}

describe("yieldToEventLoop", () => {
  it.live("gives each heavy task a turn, and light tasks none", () =>
    Effect.gen(function* () {
      const turns = countTicks()
      const began: Array<number> = []
      yield* Effect.forEach(
        Array.from({ length: 50 }),
        () => Effect.map(yieldForBytes(maxSyncBytes + 1), () => began.push(turns.now())),
        { concurrency: "unbounded", discard: true }
      )
      assert.strictEqual(new Set(began).size, 50)
      const before = turns.now()
      yield* yieldForBytes(maxSyncBytes)
      assert.strictEqual(turns.now(), before)
      turns.stop()
    })
  )

  it.live("continues with the others when a waiting task is interrupted", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forEach(Array.from({ length: 3 }), () =>
        Effect.forkChild(yieldForBytes(maxSyncBytes + 1), { startImmediately: true })
      )
      yield* Fiber.interrupt(waiting[0]!)
      yield* Fiber.join(waiting[1]!)
      yield* Fiber.join(waiting[2]!)
      yield* yieldForBytes(maxSyncBytes + 1)
    })
  )
})
