import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { Draining } from "../../../src/http/errors/HttpErrors.ts"
import { InternalError } from "../../../src/http/errors/ServerErrors.ts"
import { toErrorResponse } from "../../../src/http/errors/toErrorResponse.ts"
import {
  toErrorResponseFromCause,
  findStoreUnavailable
} from "../../../src/http/errors/toErrorResponseFromCause.ts"
import { StoreUnavailable } from "../../../src/values/errors/StoreUnavailable.ts"

const storeUnavailable = new StoreUnavailable({
  cause: new Error("connection refused at postgres://secret")
})

/** What it comes to, and the levels of what is logged. */
const renderCause = (cause: Cause.Cause<unknown>, isDraining = false) => {
  const levels: Array<string> = []
  const logger = Logger.make(({ logLevel }) => void levels.push(logLevel))
  return Effect.map(
    Effect.provide(toErrorResponseFromCause(cause, isDraining), Logger.layer([logger])),
    (refusal) => ({ refusal, levels })
  )
}

describe("toErrorResponseFromCause", () => {
  it.effect("tells that a store is unavailable, with a warning and without its cause", () =>
    Effect.gen(function* () {
      const { levels, refusal } = yield* renderCause(Cause.die(storeUnavailable))
      assert.strictEqual(refusal.status, 503)
      assert.notInclude(JSON.stringify(refusal), "secret")
      assert.deepStrictEqual(levels, ["Warn"])
      assert.strictEqual(findStoreUnavailable(Cause.die(storeUnavailable)), storeUnavailable)
    })
  )

  it.effect("logs a bug and tells nothing", () =>
    Effect.gen(function* () {
      const bug = Cause.die(new Error("a bug"))
      assert.deepStrictEqual(yield* renderCause(bug), {
        refusal: toErrorResponse(new InternalError()),
        levels: ["Error"]
      })
      assert.isUndefined(findStoreUnavailable(bug))
    })
  )

  it.effect("says that the box is closing to whom that interrupts", () =>
    Effect.gen(function* () {
      const { levels, refusal } = yield* renderCause(Cause.interrupt(), true)
      assert.deepStrictEqual([refusal, levels], [toErrorResponse(new Draining()), []])
    })
  )
})
