import { assert, describe, it } from "vitest"
import type { Outcome } from "../../../src/engine/health/Outcome.ts"
import type { RouteAttempt } from "../../../src/routing/attempt/RouteAttempt.ts"
import { withCredential } from "../../../src/routing/Candidate.ts"
import { failureRules } from "../../../src/routing/attempt/failureRules.ts"
import { toOutcome } from "../../../src/routing/attempt/toOutcome.ts"
import {
  FailureKind,
  type FailurePhase,
  UpstreamFailure
} from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { makePricedCandidate } from "../makeCandidate.ts"

const judging = { failureRules, totalTimeoutMillis: 60_000 }
const shared = makePricedCandidate("one", 1)
const outcome = (rest: Partial<RouteAttempt>): Outcome =>
  toOutcome(
    { candidate: shared, chargedAt: 1_000, startedAt: 1_000, latencyMillis: 50, ...rest },
    judging
  )
const failed = (failure: ConstructorParameters<typeof UpstreamFailure>[0], latencyMillis = 50) =>
  outcome({ failure: new UpstreamFailure(failure), latencyMillis })

const always = { endpoint: "a/b@one", startedAt: 1_000, at: 1_050, latencyMillis: 50 }

describe("toOutcome", () => {
  it("reports the tokens of a success", () => {
    assert.deepStrictEqual(outcome({}), { ...always, result: "success" })
    const usage = { inputTokens: 9, cachedTokens: 7, outputTokens: 4 }
    assert.deepStrictEqual(outcome({ usage }), {
      ...always,
      result: "success",
      outputTokens: 4,
      prompt: usage
    })
  })

  it("reports no prompt for an estimated usage, because what was cached is unknown", () => {
    const usage = { inputTokens: 9, outputTokens: 4 }
    assert.notProperty(outcome({ usage, estimated: true }), "prompt")
  })

  it("leaves the latency of a stream to its first event", () => {
    const usage = { inputTokens: 9, outputTokens: 4 }
    const { latencyMillis: _, ...rest } = always
    assert.deepStrictEqual(outcome({ firstEventMillis: 20, usage }), {
      ...rest,
      totalMillis: 50,
      result: "success",
      outputTokens: 4,
      prompt: usage
    })
  })

  it.each(["interrupted", "defect"] as const)(
    "ignores an attempt with abort reason %s",
    (abortReason) => {
      assert.deepStrictEqual(outcome({ abortReason }), { ...always, result: "ignored" })
    }
  )

  it("ignores an answer without a call", () => {
    const usage = { inputTokens: 0, outputTokens: 0, requests: 0 }
    assert.deepStrictEqual(outcome({ usage }), { ...always, result: "ignored" })
  })

  it("ignores a credential that was renewed", () => {
    const renewed = failed({ kind: "credential_refused", isCredentialRenewed: true })
    assert.strictEqual(renewed.result, "ignored")
  })

  it("ignores a stream that times out because of a slow reader", () => {
    const failure = new UpstreamFailure({ kind: "timeout", phase: "total" })
    const timedOut = outcome({ failure, firstEventMillis: 400, latencyMillis: 1_800_000 })
    assert.strictEqual(timedOut.result, "ignored")
  })

  const expected: Readonly<Record<FailureKind, Outcome["result"]>> = {
    unreachable: "failure",
    timeout: "failure",
    rate_limited: "rate_limited",
    overloaded: "failure",
    server_error: "failure",
    credential_refused: "failure",
    forbidden: "ignored",
    not_served: "failure",
    bad_request: "ignored",
    context_length: "ignored",
    unsupported_parameter: "ignored",
    content_refused: "ignored",
    invalid_answer: "invalid_answer",
    defect: "failure"
  }
  it.each(FailureKind.literals)("applies the rule for %s", (kind) => {
    assert.deepStrictEqual(failed({ kind, retryAfterMillis: 7 }), {
      ...always,
      result: expected[kind],
      kind,
      retryAfterMillis: 7
    })
  })

  const phases: ReadonlyArray<readonly [FailurePhase, number, Outcome["result"]]> = [
    // Half of 60 seconds, and half of the remaining time then.
    ["attempt", 30_000, "failure"],
    ["attempt", 15_000, "failure"],
    ["attempt", 7_500, "ignored"],
    ["total", 12_000, "failure"],
    ["total", 11_999, "ignored"],
    // Timeouts of the provider itself.
    ["headers", 5_000, "failure"],
    ["connect", 5_000, "failure"]
  ]
  it.each(phases)("counts a timeout in phase %s after %d ms as %s", (phase, millis, result) => {
    assert.strictEqual(failed({ kind: "timeout", phase }, millis).result, result)
  })

  const own = withCredential(shared, {
    id: "key",
    isFallback: false,
    sortOrder: 0,
    declaredZdr: null
  })
  const toOutcomes = (rest: Partial<RouteAttempt>) => {
    const { endpoint, result } = outcome({ candidate: own, ...rest })
    return [endpoint, result]
  }

  it("counts a customer's success for the credential only", () => {
    assert.deepStrictEqual(toOutcomes({}), ["a/b@one#key", "success"])
  })

  it.each(FailureKind.literals)(
    "counts %s on a customer's credential for the credential only",
    (kind) => {
      const byCredential: Partial<Record<FailureKind, string>> = {
        credential_refused: "failure",
        forbidden: "failure"
      }
      assert.deepStrictEqual(toOutcomes({ failure: new UpstreamFailure({ kind }) }), [
        "a/b@one#key",
        byCredential[kind] ?? failureRules[kind].health
      ])
    }
  )
})
