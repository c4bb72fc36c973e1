import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { Draining, InternalError } from "../../../src/api/errors/HttpErrors.ts"
import {
  toErrorResponse,
  toErrorResponseFromCause
} from "../../../src/api/errors/toErrorResponse.ts"
import {
  findStoreUnavailable,
  StoreUnavailable
} from "../../../src/values/errors/StoreUnavailable.ts"

const storeUnavailable = new StoreUnavailable({
  cause: new Error("connection refused at postgres://secret")
})

/** Returns the error response and the levels of the log lines. */
const renderCause = (cause: Cause.Cause<unknown>, isDraining = false) => {
  const levels: Array<string> = []
  const logger = Logger.make(({ logLevel }) => void levels.push(logLevel))
  return Effect.map(
    Effect.provide(toErrorResponseFromCause(cause, isDraining), Logger.layer([logger])),
    (response) => ({ response, levels })
  )
}

describe("toErrorResponseFromCause", () => {
  it.effect("reports an unavailable store without its cause, and logs a warning", () =>
    Effect.gen(function* () {
      const { levels, response } = yield* renderCause(Cause.die(storeUnavailable))
      assert.strictEqual(response.status, 503)
      assert.notInclude(JSON.stringify(response), "secret")
      assert.deepStrictEqual(levels, ["Warn"])
      assert.strictEqual(findStoreUnavailable(Cause.die(storeUnavailable)), storeUnavailable)
    })
  )

  it.effect("logs a bug and does not reveal it", () =>
    Effect.gen(function* () {
      const bug = Cause.die(new Error("a bug"))
      assert.deepStrictEqual(yield* renderCause(bug), {
        response: toErrorResponse(new InternalError()),
        levels: ["Error"]
      })
      assert.isUndefined(findStoreUnavailable(bug))
    })
  )

  it.effect("reports a closing instance to the requests that it interrupts", () =>
    Effect.gen(function* () {
      const { levels, response } = yield* renderCause(Cause.interrupt(), true)
      assert.deepStrictEqual([response, levels], [toErrorResponse(new Draining()), []])
    })
  )
})
