import { assert, describe, expect, it } from "@effect/vitest"
import * as Headers from "effect/http/Headers"
import {
  findMessagesFailure,
  messagesFailureTypes,
  toMessagesFailure
} from "../../../src/dialects/messages/findMessagesFailure.ts"
import {
  toMessagesErrorType,
  writeMessagesErrorBody
} from "../../../src/dialects/messages/writeMessagesError.ts"

const now = Date.parse("2026-11-01T12:00:00Z")

const fail = (status: number, body: unknown = "", headers: Readonly<Record<string, string>> = {}) =>
  toMessagesFailure(
    status,
    Headers.fromInput(headers),
    typeof body === "string" ? body : JSON.stringify(body),
    now
  )

const error = (type: string, message = "oh", details?: object) => ({
  type: "error",
  error: { type, message, ...(details === undefined ? undefined : { details }) },
  request_id: "req_1"
})

describe("toMessagesFailure", () => {
  it.each([
    [400, error("invalid_request_error"), "bad_request"],
    [400, error("invalid_request_error", "prompt is too long: 9 > 8 maximum"), "context_length"],
    [
      400,
      error("invalid_request_error", "Your credit balance is too low to access the API"),
      "credential_refused"
    ],
    [
      400,
      error("invalid_request_error", "adaptive thinking is not supported on this model"),
      "unsupported_parameter"
    ],
    [401, error("authentication_error"), "credential_refused"],
    [402, error("billing_error"), "credential_refused"],
    [403, error("permission_error"), "forbidden"],
    [404, error("not_found_error"), "not_served"],
    [408, error("timeout_error"), "timeout"],
    [409, error("conflict_error"), "server_error"],
    [413, error("request_too_large"), "bad_request"],
    [413, "<html>Request Entity Too Large</html>", "bad_request"],
    [422, "", "bad_request"],
    [429, error("rate_limit_error"), "rate_limited"],
    [
      429,
      error("rate_limit_error", "no", { error_code: "enforced_spend_limit_reached" }),
      "credential_refused"
    ],
    [
      429,
      error("rate_limit_error", "You have reached your specified API usage limits."),
      "credential_refused"
    ],
    [
      429,
      error("rate_limit_error", "This request would exceed your rate limit of tokens per minute"),
      "rate_limited"
    ],
    [499, "", "server_error"],
    [500, error("api_error"), "server_error"],
    [500, error("invalid_request_error"), "server_error"],
    [502, "<html>Bad Gateway</html>", "server_error"],
    [503, { message: "Service Unavailable" }, "overloaded"],
    [504, "", "timeout"],
    [529, error("overloaded_error"), "overloaded"]
  ])("classifies %d with %j as %s", (status, body, kind) => {
    expect(fail(status, body)).toMatchObject({ kind, status })
  })

  it.each([
    [error("api_error", "broken"), "broken"],
    [{ message: "edge" }, "edge"],
    [{ Message: "Edge" }, "Edge"],
    [{ error: "plain" }, "plain"],
    [[{ error: { code: 400, message: "of a list", status: "INVALID_ARGUMENT" } }], "of a list"],
    ["<html>", undefined],
    ["", undefined],
    ["null", undefined],
    [{ error: { message: 7 } }, undefined]
  ])("finds the message of %j", (body, detail) => {
    assert.strictEqual(fail(400, body).detail, detail)
  })

  it("truncates long messages", () => {
    assert.lengthOf(fail(400, error("invalid_request_error", "x".repeat(9_999))).detail ?? "", 500)
  })

  it.each([
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 1_500],
    [{ "retry-after": "9" }, 9_000],
    [{ "retry-after": "1.5" }, 1_500],
    [{ "retry-after": "Sun, 01 Nov 2026 12:00:07 GMT" }, 7_000],
    [
      {
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2026-11-01T12:00:03Z",
        "anthropic-ratelimit-input-tokens-remaining": "0",
        "anthropic-ratelimit-input-tokens-reset": "2026-11-01T12:00:05Z",
        "anthropic-ratelimit-output-tokens-remaining": "10",
        "anthropic-ratelimit-output-tokens-reset": "2026-11-01T12:00:30Z"
      },
      5_000
    ],
    [
      {
        "anthropic-ratelimit-tokens-remaining": "0",
        "anthropic-ratelimit-tokens-reset": "2026-11-01T11:00:00Z"
      },
      0
    ],
    [
      {
        "anthropic-ratelimit-tokens-remaining": "0",
        "anthropic-ratelimit-tokens-reset": "-5"
      },
      undefined
    ],
    [{}, undefined]
  ])("waits as %j says", (headers: Readonly<Record<string, string>>, millis) => {
    assert.strictEqual(fail(429, error("rate_limit_error"), headers).retryAfterMillis, millis)
  })

  it("takes a limit that is not to be waited for as one of money", () => {
    const headers = { "x-should-retry": "false" }
    assert.strictEqual(fail(429, error("rate_limit_error"), headers).kind, "credential_refused")
    assert.strictEqual(
      fail(429, error("rate_limit_error"), { ...headers, "retry-after": "1" }).kind,
      "rate_limited"
    )
  })
})

describe("findMessagesFailure", () => {
  it("knows every type of error in a stream", () => {
    for (const [type, kind] of messagesFailureTypes) {
      assert.strictEqual(findMessagesFailure(error(type))?.kind, kind)
    }
    assert.strictEqual(findMessagesFailure(error("new_error"))?.kind, "server_error")
    assert.isUndefined(findMessagesFailure({ type: "message", error: null }))
  })
})

describe("the envelope of errors", () => {
  it.each([
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [402, "billing_error"],
    [403, "permission_error"],
    [404, "not_found_error"],
    [405, "invalid_request_error"],
    [408, "timeout_error"],
    [409, "conflict_error"],
    [413, "request_too_large"],
    [415, "invalid_request_error"],
    [422, "invalid_request_error"],
    [429, "rate_limit_error"],
    [500, "api_error"],
    [502, "api_error"],
    [503, "overloaded_error"],
    [504, "timeout_error"],
    [529, "overloaded_error"]
  ])("names %d %s", (status, type) => {
    assert.strictEqual(toMessagesErrorType(status), type)
  })

  it("has all that clients read", () => {
    const facts = { status: 404, message: "no such model" }
    expect(writeMessagesErrorBody(facts, null)).toEqual({
      type: "error",
      error: { type: "not_found_error", message: "no such model" },
      request_id: null
    })
    expect(
      writeMessagesErrorBody({ ...facts, errorType: "x", metadata: { a: 1 } }, "gen-1")
    ).toEqual({
      type: "error",
      error: { type: "not_found_error", message: "no such model", error_type: "x" },
      request_id: "gen-1",
      metadata: { a: 1 }
    })
  })
})
