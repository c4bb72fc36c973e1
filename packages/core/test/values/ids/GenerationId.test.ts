import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as TestClock from "effect/testing/TestClock"
import * as GenerationId from "../../../src/values/ids/GenerationId.ts"

const drawDecisionId = Effect.zipWith(Clock.Clock, Random.Random, GenerationId.drawDecisionId)

describe("GenerationId", () => {
  it.effect("has the form gen-dec-<unix seconds>-<20 alphanumerics>", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_999)
      assert.match(yield* drawDecisionId, /^gen-dec-1700000000-[0-9A-Za-z]{20}$/)
    })
  )

  it.effect("is unique, and drawn from the current random generator", () =>
    Effect.gen(function* () {
      const many = Effect.all(Array.from({ length: 1_000 }, () => drawDecisionId))
      assert.lengthOf(new Set(yield* many), 1_000)
      assert.deepStrictEqual(
        yield* Random.withSeed(many, "seed"),
        yield* Random.withSeed(many, "seed")
      )
    })
  )
})
