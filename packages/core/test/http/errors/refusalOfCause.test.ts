import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { draining, unexpected } from "../../../src/http/errors/refusalOf.ts"
import { refusalOfCause, unavailableIn } from "../../../src/http/errors/refusalOfCause.ts"
import { StoreUnavailable } from "../../../src/values/StoreUnavailable.ts"

const away = new StoreUnavailable({ cause: new Error("connection refused at postgres://secret") })

/** What it comes to, and the levels of what is logged. */
const told = (cause: Cause.Cause<unknown>, isDraining = false) => {
  const levels: Array<string> = []
  const logger = Logger.make(({ logLevel }) => void levels.push(logLevel))
  return Effect.map(
    Effect.provide(refusalOfCause(cause, isDraining), Logger.layer([logger])),
    (refusal) => ({ refusal, levels })
  )
}

describe("refusalOfCause", () => {
  it.effect("tells that a store is unavailable, with a warning and without its cause", () =>
    Effect.gen(function* () {
      const { levels, refusal } = yield* told(Cause.die(away))
      assert.strictEqual(refusal.status, 503)
      assert.notInclude(JSON.stringify(refusal), "secret")
      assert.deepStrictEqual(levels, ["Warn"])
      assert.strictEqual(unavailableIn(Cause.die(away)), away)
    })
  )

  it.effect("logs a bug and tells nothing", () =>
    Effect.gen(function* () {
      const bug = Cause.die(new Error("a bug"))
      assert.deepStrictEqual(yield* told(bug), { refusal: unexpected, levels: ["Error"] })
      assert.isUndefined(unavailableIn(bug))
    })
  )

  it.effect("says that the box is closing to whom that interrupts", () =>
    Effect.gen(function* () {
      const { levels, refusal } = yield* told(Cause.interrupt(), true)
      assert.deepStrictEqual([refusal, levels], [draining, []])
    })
  )
})
