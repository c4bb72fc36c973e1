import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { resealAll } from "../../src/secrets/resealAll.ts"

describe("resealing", () => {
  it.effect("goes on behind what cannot be sealed anew, and asks for it no second time", () =>
    Effect.gen(function* () {
      const left = new Set(Array.from({ length: 305 }, (_, n) => n))
      const tried: Array<number> = []
      const done = yield* resealAll({
        sealer: { currentKeyId: "new" },
        page: (_, after: number | undefined, limit) =>
          Effect.sync(() =>
            Array.from(left)
              .filter((n) => n > (after ?? -1))
              .slice(0, limit)
          ),
        reseal: (n) =>
          Effect.suspend(() => {
            tried.push(n)
            if (n % 3 === 0) return Effect.fail("no key opens it")
            left.delete(n)
            return Effect.succeed(1)
          }),
        describeRow: String
      })
      assert.strictEqual(done, 203)
      assert.deepStrictEqual(
        tried,
        Array.from({ length: 305 }, (_, n) => n)
      )
    })
  )
})
