import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { assert } from "vitest"
import { lightBytes, ownTurn } from "../../src/values/ownTurn.ts"

/** Numbers the turns of the event loop. */
const watchTurns = () => {
  let turn = 0
  let next: NodeJS.Immediate
  const count = () => {
    turn++
    next = setImmediate(count)
  }
  count()
  return { now: () => turn, stop: () => clearImmediate(next) }
}

describe("ownTurn", () => {
  it.live("gives heavy work of many a turn each, and light work none", () =>
    Effect.gen(function* () {
      const turns = watchTurns()
      const began: Array<number> = []
      yield* Effect.forEach(
        Array.from({ length: 50 }),
        () => Effect.map(ownTurn(lightBytes + 1), () => began.push(turns.now())),
        { concurrency: "unbounded", discard: true }
      )
      assert.strictEqual(new Set(began).size, 50)
      const before = turns.now()
      yield* ownTurn(lightBytes)
      assert.strictEqual(turns.now(), before)
      turns.stop()
    })
  )

  it.live("goes on with the others when one that waits is interrupted", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forEach(Array.from({ length: 3 }), () =>
        Effect.forkChild(ownTurn(lightBytes + 1), { startImmediately: true })
      )
      yield* Fiber.interrupt(waiting[0]!)
      yield* Fiber.join(waiting[1]!)
      yield* Fiber.join(waiting[2]!)
      yield* ownTurn(lightBytes + 1)
    })
  )
})
