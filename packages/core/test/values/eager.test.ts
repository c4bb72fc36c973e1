import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { expect, it } from "vitest"
import { isExit, isSuccess } from "../../src/values/eager.ts"

it("knows every kind of exit", () => {
  const failures = [
    Exit.fail("no"),
    Exit.die("broken"),
    Exit.interrupt(),
    Exit.failCause(Cause.empty)
  ]
  const successes = [Exit.void, Exit.succeed(1), Effect.succeed(1), Effect.void]
  expect([...failures, ...successes].map((exit) => isExit(exit))).toEqual(Array(8).fill(true))
  expect(successes.map((exit) => isSuccess(exit))).toEqual(Array(4).fill(true))
  expect(failures.map((exit) => isSuccess(exit))).toEqual(Array(4).fill(false))
})

it("takes no error of a host for an exit because of its tag", () => {
  class Success extends Data.TaggedError("Success")<{}> {}
  class Failure extends Data.TaggedError("Failure")<{}> {}
  const effects: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
    new Success(),
    new Failure(),
    Effect.sync(() => 1),
    Effect.suspend(() => Exit.void)
  ]
  expect(effects.map((effect) => isExit(effect) || isSuccess(effect))).toEqual(Array(4).fill(false))
})
