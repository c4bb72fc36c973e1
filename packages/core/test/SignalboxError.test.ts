import { assert, describe, expectTypeOf, it } from "vitest"
import type { ErrorReason } from "../src/api/errors/ErrorReason.ts"
import { Draining, InternalError } from "../src/api/errors/HttpErrors.ts"
import { toErrorResponse } from "../src/api/errors/toErrorResponse.ts"
import { LimitExceeded } from "../src/engine/ledger/LedgerErrors.ts"
import { ModelNotFound } from "../src/routing/RoutingErrors.ts"
import { SignalboxError } from "../src/SignalboxError.ts"
import { NotPermitted, RateLimited, Unauthenticated } from "../src/tenants/auth/AuthErrors.ts"
import {
  InvalidRequest,
  OptionFailed,
  ResourceNotFound
} from "../src/values/errors/RequestErrors.ts"
import { make as nano } from "../src/values/usage/NanoUsd.ts"

const exceeded = new LimitExceeded({
  limit: { kind: "credits", cap: nano(5n), interval: "lifetime", endsAt: Infinity },
  amount: nano(7n),
  available: nano(3n)
} as ConstructorParameters<typeof LimitExceeded>[0])

const reasons: ReadonlyArray<readonly [Parameters<typeof SignalboxError.of>[0], ErrorReason]> = [
  [new ModelNotFound({ model: "a/b" }), "model_not_found"],
  [new InvalidRequest({ path: ["model"], problem: "is missing" }), "invalid_request"],
  [new Unauthenticated({ reason: "missing_key" }), "missing_key"],
  [new Unauthenticated({ reason: "unknown_key" }), "unknown_key"],
  [new NotPermitted({ kind: "member", needs: "a management key" }), "not_permitted"],
  [new RateLimited({ limit: 1, resetAt: 0, retryAfterMillis: 5 }), "rate_limit_exceeded"],
  [new ResourceNotFound({ resource: "workspace", id: "x" }), "not_found"],
  [exceeded, "payment_required"],
  [new OptionFailed({ option: "stores", cause: "gone" }), "option_failed"]
]

describe("SignalboxError", () => {
  it.each(reasons)("%s has the reason %s", (error, reason) => {
    assert.strictEqual(SignalboxError.of(error).reason, reason)
  })

  it("has a reason without a tagged error", () => {
    assert.strictEqual(new SignalboxError(toErrorResponse(new Draining())).reason, "draining")
    assert.strictEqual(
      new SignalboxError(toErrorResponse(new InternalError())).reason,
      "internal_error"
    )
  })

  it("narrows the metadata by its reason", () => {
    const error = SignalboxError.of(exceeded)
    if (!error.is("payment_required")) return assert.fail(error.reason)
    expectTypeOf(error.metadata.available_usd).toEqualTypeOf<number>()
    expectTypeOf(error.reason).toEqualTypeOf<"payment_required">()
    assert.strictEqual(error.metadata.available_usd, 3e-9)
    assert.isFalse(error.is("not_found"))
  })

  it("has typed facts without narrowing", () => {
    const error = SignalboxError.of(new InvalidRequest({ path: ["model"], problem: "is missing" }))
    expectTypeOf(error.metadata.path).toEqualTypeOf<ReadonlyArray<string | number> | undefined>()
    assert.deepStrictEqual(error.metadata.path, ["model"])
  })
})
