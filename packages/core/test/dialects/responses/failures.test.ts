import { assert, describe, it } from "@effect/vitest"
import * as Headers from "effect/http/Headers"
import * as fc from "fast-check"
import {
  toAnswerFailure,
  toResponsesFailure
} from "../../../src/dialects/responses/responsesFailures.ts"
import type { FailureKind } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"

const fail = (status: number, error: unknown, headers: Record<string, string> = {}) =>
  toResponsesFailure(status, Headers.fromInput(headers), JSON.stringify({ error }), 0)

describe("failures of the Responses API", () => {
  it.each<[number, unknown, FailureKind]>([
    [400, { message: "no", type: "invalid_request_error", param: null, code: null }, "bad_request"],
    [400, { code: "context_length_exceeded" }, "context_length"],
    [400, { message: "This model's maximum context length is 8192 tokens." }, "context_length"],
    [400, { code: "invalid_prompt", message: "maximum context length is 9" }, "context_length"],
    [400, { code: "unsupported_parameter" }, "unsupported_parameter"],
    [400, { code: "content_filter", innererror: {} }, "content_refused"],
    [400, { code: "invalid_prompt", message: "flagged" }, "content_refused"],
    [401, { code: "invalid_api_key" }, "credential_refused"],
    [402, {}, "credential_refused"],
    [403, {}, "forbidden"],
    [403, { code: "unsupported_country_region_territory" }, "forbidden"],
    [404, { code: "model_not_found" }, "not_served"],
    [408, {}, "timeout"],
    [409, {}, "server_error"],
    [413, {}, "bad_request"],
    [422, {}, "bad_request"],
    [429, { code: "rate_limit_exceeded" }, "rate_limited"],
    [429, { code: "slow_down" }, "rate_limited"],
    [429, { code: "insufficient_quota" }, "credential_refused"],
    [429, { type: "insufficient_quota", code: null }, "credential_refused"],
    [429, { code: "credit_balance_exhausted" }, "credential_refused"],
    [499, {}, "server_error"],
    [500, { code: "invalid_prompt" }, "server_error"],
    [502, {}, "server_error"],
    [503, { code: "server_is_overloaded" }, "overloaded"],
    [504, {}, "timeout"]
  ])("means %i with %j to be %s", (status, error, kind) => {
    assert.strictEqual(fail(status, error).kind, kind)
    assert.strictEqual(fail(status, error).status, status)
  })

  it.each([["<html>busy</html>"], [""], ["null"], ['{"message":"busy"}'], ["[]"]])(
    "reads the status where the body is %j",
    (body) => {
      assert.strictEqual(toResponsesFailure(503, Headers.empty, body, 0).kind, "overloaded")
    }
  )

  it.each<[string, Record<string, string>, string | undefined, number | undefined]>([
    ["milliseconds", { "retry-after-ms": "20", "retry-after": "9" }, undefined, 20],
    ["seconds", { "retry-after": "1.5" }, undefined, 1_500],
    ["a date", { "retry-after": "Thu, 01 Jan 1970 00:00:02 GMT" }, undefined, 2_000],
    [
      "the reset of a limit with nothing left",
      {
        "x-ratelimit-remaining-requests": "5",
        "x-ratelimit-reset-requests": "20ms",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "6m0s"
      },
      undefined,
      360_000
    ],
    ["the message", {}, "Rate limit reached. Please try again in 1.5s. Visit", 1_500],
    ["the message in milliseconds", {}, "Please try again in 20ms.", 20],
    ["nothing", { "x-ratelimit-reset-tokens": "-1" }, "Try again in a while", undefined]
  ])("takes the wait from %s", (_, headers, message, millis) => {
    assert.strictEqual(fail(429, { message }, headers).retryAfterMillis, millis)
  })

  it("takes no wait from the message of another failure", () => {
    assert.isUndefined(fail(400, { message: "try again in 5s" }).retryAfterMillis)
  })

  it.each<[unknown, FailureKind]>([
    [{ code: "server_error", message: "oops" }, "server_error"],
    [{ code: "rate_limit_exceeded", message: "try again in 2s" }, "rate_limited"],
    [{ code: "image_content_policy_violation" }, "content_refused"],
    [{ code: "invalid_image" }, "bad_request"],
    [{ code: 429 }, "rate_limited"],
    [{ type: "rate_limit_error" }, "rate_limited"],
    ["maximum context length exceeded", "context_length"],
    [null, "server_error"],
    [{}, "server_error"]
  ])("means %j inside an answer to be %s", (error, kind) => {
    assert.strictEqual(toAnswerFailure(error).kind, kind)
  })

  it("keeps the usage, the wait and the beginning of the message", () => {
    const usage = { inputTokens: 1, outputTokens: 2 }
    const message = `Please try again in 1m2s. ${"x".repeat(1_000)}`
    const failure = toAnswerFailure({ code: "slow_down", message }, usage)
    assert.deepStrictEqual(failure.usage, usage)
    assert.strictEqual(failure.retryAfterMillis, 62_000)
    assert.strictEqual(failure.detail?.length, 500)
  })

  it("classifies any error", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 400, max: 599 }), (error, status) => {
        assert.isString(toAnswerFailure(error).kind)
        assert.strictEqual(fail(status, error).status, status)
      })
    )
  })
})
