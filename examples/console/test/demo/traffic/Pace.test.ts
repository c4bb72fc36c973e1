import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type Pace, waitForFirstToken } from "../../../src/demo/traffic/Pace.ts"

const pace: Pace = {
  firstTokenMillis: 100,
  tokensPerSecond: 10,
  errorShare: 0,
  outage: { since: 500, everySeconds: 60, downSeconds: 20 }
}

it.effect("a provider answers, is out of service, and answers again", () =>
  Effect.gen(function* () {
    const outcomes: Array<string> = []
    for (const seconds of [0, 39, 41, 59, 61, 101]) {
      yield* TestClock.setTime(500 + seconds * 1_000)
      const call = yield* Effect.forkChild(Effect.result(waitForFirstToken(pace)))
      yield* TestClock.adjust("1 hour")
      outcomes.push((yield* Fiber.join(call))._tag)
    }
    expect(outcomes).toEqual(["Success", "Success", "Failure", "Failure", "Success", "Failure"])
  })
)
