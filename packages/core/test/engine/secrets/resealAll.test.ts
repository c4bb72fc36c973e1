import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { resealAll } from "../../../src/engine/secrets/resealAll.ts"

describe("resealAll", () => {
  it.effect("continues after a row that cannot be resealed, without reading it again", () =>
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
