import { assert, describe, expect, it } from "@effect/vitest"
import {
  findGeminiFailure,
  geminiFailureStatuses,
  toGeminiFailure
} from "../../../src/dialects/gemini/findGeminiFailure.ts"
import { toGeminiStatus, writeGeminiError } from "../../../src/dialects/gemini/writeEvents.ts"

type Json = Readonly<Record<string, unknown>>

const now = Date.parse("2026-11-01T12:00:00Z")

const fail = (status: number, body: unknown = "", headers: Readonly<Record<string, string>> = {}) =>
  toGeminiFailure(status, headers, typeof body === "string" ? body : JSON.stringify(body), now)

const error = (code: number, status: string, message = "oh", ...details: ReadonlyArray<Json>) => ({
  error: { code, message, status, ...(details.length === 0 ? undefined : { details }) }
})

const rpc = (type: string, fields: Json): Json => ({
  "@type": `type.googleapis.com/google.rpc.${type}`,
  ...fields
})
const quota = (quotaId: string) => rpc("QuotaFailure", { violations: [{ quotaId }] })
const invalidKey = rpc("ErrorInfo", { reason: "API_KEY_INVALID", domain: "googleapis.com" })

describe("toGeminiFailure", () => {
  it.each([
    [400, error(400, "INVALID_ARGUMENT"), "bad_request"],
    [400, error(400, "INVALID_ARGUMENT", "bad key", invalidKey), "credential_refused"],
    [400, error(400, "INVALID_ARGUMENT", "API key not valid."), "credential_refused"],
    [
      400,
      error(
        400,
        "INVALID_ARGUMENT",
        "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576)."
      ),
      "context_length"
    ],
    [
      400,
      error(400, "INVALID_ARGUMENT", "Penalty is not enabled for models/gemini-3-pro"),
      "unsupported_parameter"
    ],
    [400, error(400, "FAILED_PRECONDITION", "User location is not supported"), "forbidden"],
    [401, error(401, "UNAUTHENTICATED"), "credential_refused"],
    [403, error(403, "PERMISSION_DENIED"), "forbidden"],
    [404, error(404, "NOT_FOUND"), "not_served"],
    [408, "", "timeout"],
    [409, error(409, "ABORTED"), "server_error"],
    [413, "<html>Request Entity Too Large</html>", "bad_request"],
    [429, error(429, "RESOURCE_EXHAUSTED"), "rate_limited"],
    [
      429,
      error(429, "RESOURCE_EXHAUSTED", "q", quota("GenerateRequestsPerDayPerProject")),
      "credential_refused"
    ],
    [
      429,
      error(429, "RESOURCE_EXHAUSTED", "q", quota("GenerateRequestsPerMinutePerProject")),
      "rate_limited"
    ],
    [429, "<html>", "rate_limited"],
    [499, error(499, "CANCELLED"), "server_error"],
    [500, error(500, "INTERNAL"), "server_error"],
    [
      500,
      error(500, "INTERNAL", "Your input context is too long: it exceeds the context window."),
      "context_length"
    ],
    [502, "<html>Bad Gateway</html>", "server_error"],
    [503, error(503, "UNAVAILABLE"), "overloaded"],
    [504, error(504, "DEADLINE_EXCEEDED"), "timeout"]
  ])("classifies %d with %j as %s", (status, body, kind) => {
    expect(fail(status, body)).toMatchObject({ kind, status })
  })

  it.each([
    [error(400, "INVALID_ARGUMENT", "broken"), "broken"],
    [[error(400, "INVALID_ARGUMENT", "of a list")], "of a list"],
    [{ error: "plain" }, "plain"],
    [{ message: "edge" }, "edge"],
    ["<html>", undefined],
    ["null", undefined],
    [{ error: { message: 7, details: [7] } }, undefined]
  ])("finds the message of %j", (body, detail) => {
    assert.strictEqual(fail(400, body).detail, detail)
  })

  it("truncates long messages", () => {
    assert.lengthOf(fail(400, error(400, "INTERNAL", "x".repeat(9_999))).detail ?? "", 500)
  })

  it.each([
    [{ "retry-after": "9" }, "34s", 9_000],
    [{}, "34s", 34_000],
    [{}, "1.5s", 1_500],
    [{}, "soon", undefined],
    [{}, "-1s", undefined]
  ])("waits as %j and %s say", (headers: Readonly<Record<string, string>>, retryDelay, millis) => {
    const body = error(429, "RESOURCE_EXHAUSTED", "q", rpc("RetryInfo", { retryDelay }))
    assert.strictEqual(fail(429, body, headers).retryAfterMillis, millis)
  })
})

describe("findGeminiFailure", () => {
  it("knows every status of an error in a stream", () => {
    for (const [status, kind] of geminiFailureStatuses) {
      assert.strictEqual(findGeminiFailure(error(400, status))?.kind, kind)
    }
    assert.strictEqual(findGeminiFailure(error(400, "NEW"))?.kind, "server_error")
    assert.strictEqual(findGeminiFailure({ error: "text" })?.kind, "server_error")
    assert.isUndefined(findGeminiFailure({ candidates: [], error: null }))
  })
})

describe("the envelope of errors", () => {
  it.each([
    [400, "INVALID_ARGUMENT"],
    [401, "UNAUTHENTICATED"],
    [402, "FAILED_PRECONDITION"],
    [403, "PERMISSION_DENIED"],
    [404, "NOT_FOUND"],
    [413, "INVALID_ARGUMENT"],
    [429, "RESOURCE_EXHAUSTED"],
    [500, "INTERNAL"],
    [502, "UNAVAILABLE"],
    [503, "UNAVAILABLE"],
    [504, "DEADLINE_EXCEEDED"]
  ])("names %d %s", (status, name) => {
    assert.strictEqual(toGeminiStatus(status), name)
  })

  it("has all that clients read", () => {
    expect(writeGeminiError({ status: 404, message: "no such model" })).toEqual({
      error: { code: 404, message: "no such model", status: "NOT_FOUND" }
    })
    const written = writeGeminiError({
      status: 429,
      message: "slow",
      errorType: "rate_limit_exceeded",
      retryAfterMillis: 1_500,
      metadata: { a: 1 }
    })
    expect(written).toMatchObject({ error: { metadata: { a: 1 } } })
    expect(findGeminiFailure(written)).toMatchObject({
      kind: "rate_limited",
      retryAfterMillis: 1_500
    })
  })
})
