import { describe, expect, it } from "vitest"
import {
  UpstreamFailure,
  isPossiblyAccepted
} from "../../../../src/engine/upstreams/failures/UpstreamFailure.ts"

type Facts = ConstructorParameters<typeof UpstreamFailure>[0]

describe("a job after a failed submit", () => {
  const unsure: ReadonlyArray<readonly [string, Facts]> = [
    ["the connection broke before an answer", { kind: "unreachable", phase: "headers" }],
    ["the connection broke within the answer", { kind: "unreachable", phase: "body" }],
    ["the phase is unknown", { kind: "unreachable" }],
    ["no answer came in time", { kind: "timeout", phase: "headers" }],
    ["an attempt ran out of time", { kind: "timeout", phase: "attempt" }],
    ["a gateway timed out", { kind: "timeout", status: 504 }],
    ["another gateway timed out", { kind: "timeout", status: 524 }],
    ["a gateway got an invalid response", { kind: "server_error", status: 520 }],
    ["a gateway lost the answer", { kind: "server_error", status: 502 }],
    ["a success is invalid", { kind: "invalid_answer", status: 202 }],
    ["an answer is invalid", { kind: "invalid_answer" }],
    ["the upstream has a defect after the call", { kind: "defect" }]
  ]
  it.each(unsure)("is possibly accepted when %s", (_, facts) => {
    expect(isPossiblyAccepted(new UpstreamFailure(facts))).toBe(true)
  })

  const certain: ReadonlyArray<readonly [string, Facts]> = [
    ["nothing was sent", { kind: "unreachable", phase: "connect" }],
    ["the connection timed out", { kind: "timeout", phase: "connect" }],
    ["the rate limit was reached", { kind: "rate_limited", status: 429 }],
    ["the credential was refused", { kind: "credential_refused", status: 401 }],
    ["the request was refused", { kind: "bad_request", status: 400 }],
    ["the provider failed", { kind: "server_error", status: 500 }],
    ["the provider was overloaded", { kind: "overloaded", status: 503 }],
    ["it was redirected", { kind: "invalid_answer", status: 307 }],
    ["the upstream does not support a parameter", { kind: "unsupported_parameter" }],
    ["an error came instead of a job", { kind: "server_error" }],
    ["the upstream has a defect before the call", { kind: "defect", phase: "connect" }]
  ]
  it.each(certain)("is not accepted when %s", (_, facts) => {
    expect(isPossiblyAccepted(new UpstreamFailure(facts))).toBe(false)
  })
})
