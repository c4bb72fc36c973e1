import { assert, describe, expect, it } from "vitest"
import * as Headers from "effect/http/Headers"
import fc from "fast-check"
import { scaleRuns } from "../../../../../../vitest.scope.ts"
import { toResponseFailure } from "../../../../src/engine/upstreams/failures/toResponseFailure.ts"
import type { FailureKind } from "../../../../src/engine/upstreams/failures/UpstreamFailure.ts"

const now = Date.parse("2030-01-01T00:00:00Z")
const failure = (status: number, body: unknown = "", headers: Record<string, string> = {}) =>
  toResponseFailure(
    status,
    Headers.fromInput(headers),
    typeof body === "string" ? body : JSON.stringify(body),
    now
  )

describe("kind", () => {
  const byStatus: ReadonlyArray<[FailureKind, ReadonlyArray<number>]> = [
    ["credential_refused", [401, 402]],
    ["forbidden", [403, 451]],
    ["not_served", [404, 405, 410, 421, 423, 424, 426, 498]],
    ["rate_limited", [429]],
    ["overloaded", [503, 529]],
    ["timeout", [408, 504, 524]],
    ["server_error", [409, 499, 500, 501, 502, 520, 599]],
    ["bad_request", [400, 413, 422]],
    ["not_served", [411, 415, 418, 431]],
    ["invalid_answer", [300, 304, 307]]
  ]
  it.each(byStatus)("is %s for the statuses %j", (kind, statuses) => {
    for (const status of statuses) expect(failure(status)).toMatchObject({ kind, status })
  })

  const byCode: ReadonlyArray<[FailureKind, number, object]> = [
    ["context_length", 400, { code: "context_length_exceeded", type: "invalid_request_error" }],
    ["context_length", 400, { code: 400, metadata: { error_type: "context_length_exceeded" } }],
    ["unsupported_parameter", 400, { code: "unsupported_parameter" }],
    ["unsupported_parameter", 400, { code: "unsupported_value", param: "temperature" }],
    ["content_refused", 400, { code: "content_policy_violation" }],
    ["content_refused", 403, { code: null, type: "content_filter" }],
    ["credential_refused", 429, { code: "insufficient_quota" }],
    ["bad_request", 400, { code: "something_new" }],
    ["rate_limited", 429, { code: "something_new" }]
  ]
  it.each(byCode)("is %s for status %i with the error %j", (kind, status, error) => {
    assert.strictEqual(failure(status, { error }).kind, kind)
  })

  it.each([
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
    "This endpoint's maximum context length is 131072 tokens. However, you requested about 200000 tokens",
    "prompt is too long: 200251 tokens > 200000 maximum",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    "Please reduce the length of the messages or completion.",
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000",
    "the request exceeds the available context size",
    "Requested tokens exceed context window of 2048"
  ])("is context_length for a prompt that only the message calls too long: %s", (message) => {
    for (const status of [400, 413, 422]) {
      assert.strictEqual(failure(status, { error: { message } }).kind, "context_length")
    }
    assert.strictEqual(failure(500, { error: { message } }).kind, "server_error")
  })

  it.each([
    "max_tokens is too large: 40000. This model supports at most 16384 completion tokens",
    "messages: text content blocks must be non-empty",
    "Invalid value for 'temperature': exceeds 2"
  ])("stays bad_request for: %s", (message) => {
    assert.strictEqual(failure(400, { error: { message } }).kind, "bad_request")
  })

  it("does not override a 5xx by an error code", () => {
    const error = { code: "content_policy_violation" }
    assert.strictEqual(failure(500, { error }).kind, "server_error")
    assert.strictEqual(failure(529, { error }).kind, "overloaded")
  })
})

describe("detail", () => {
  it("is the upstream's message, truncated", () => {
    assert.strictEqual(failure(500, { error: { message: "so sorry" } }).detail, "so sorry")
    assert.strictEqual(failure(500, { error: { message: "x".repeat(9_999) } }).detail!.length, 500)
  })

  it("is the error text, or the message beside it, without an error object", () => {
    assert.strictEqual(failure(500, { error: "so sorry" }).detail, "so sorry")
    assert.strictEqual(failure(500, { message: "so sorry" }).detail, "so sorry")
  })

  it.each([
    "",
    "<html>",
    "null",
    "[]",
    "7",
    '{"error":null}',
    '{"error":[]}',
    '{"error":{"message":7}}',
    '{"__proto__":{"error":{"message":"x"}}}'
  ])("is absent for the body %j", (body) => {
    assert.isFalse(Object.hasOwn(failure(400, body), "detail"))
  })
})

describe("retryAfterMillis", () => {
  it.each([
    [{ "retry-after": "3" }, 3_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "1.5" }, 1_500],
    [{ "retry-after-ms": "250", "retry-after": "3" }, 250],
    [{ "retry-after-ms": "soon", "retry-after": "3" }, 3_000],
    [{ "retry-after-ms": "", "retry-after": "3" }, 3_000],
    [{ "retry-after": "Tue, 01 Jan 2030 00:00:09 GMT" }, 9_000],
    [{ "retry-after": "Mon, 31 Dec 2029 23:59:59 GMT" }, 0]
  ])("of %j is %i", (headers, millis) => {
    assert.strictEqual(failure(429, "", headers).retryAfterMillis, millis)
  })

  it.each([
    {},
    { "retry-after": "" },
    { "retry-after": "soon" },
    { "retry-after": "-5" },
    { "retry-after": "Infinity" },
    { "retry-after": "1e999" },
    { "retry-after-ms": "Infinity" },
    { "retry-after-ms": "-1" }
  ])("is absent for %j", (headers) => {
    assert.isFalse(Object.hasOwn(failure(429, "", headers), "retryAfterMillis"))
  })
})

it("classifies any response", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 300, max: 999 }),
      fc.oneof(fc.string(), fc.json()),
      fc.record({ "retry-after": fc.string(), "retry-after-ms": fc.string() }),
      (status, body, headers) => {
        const made = failure(status, body, headers)
        assert.strictEqual(made.status, status)
        assert.isAtMost(made.detail?.length ?? 0, 500)
        assert.isAtLeast(made.retryAfterMillis ?? 0, 0)
      }
    ),
    { numRuns: scaleRuns(1_000) }
  )
})
