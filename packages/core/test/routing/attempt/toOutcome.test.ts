import { assert, describe, it } from "vitest"
import type { Outcome } from "../../../src/health/Outcome.ts"
import type { RouteAttempt } from "../../../src/routing/attempt/RouteAttempt.ts"
import { withCredential } from "../../../src/routing/Candidate.ts"
import { failureRules } from "../../../src/routing/attempt/failureRules.ts"
import { toOutcome } from "../../../src/routing/attempt/toOutcome.ts"
import {
  FailureKind,
  type FailurePhase,
  UpstreamFailure
} from "../../../src/upstreams/failures/UpstreamFailure.ts"
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

describe("outcomeOf", () => {
  it("tells of a success how much it brought", () => {
    assert.deepStrictEqual(outcome({}), { ...always, result: "success" })
    assert.deepStrictEqual(outcome({ usage: { inputTokens: 9, outputTokens: 4 } }), {
      ...always,
      result: "success",
      outputTokens: 4
    })
  })

  it.each(["interrupted", "defect"] as const)("blames nobody for what was %s", (abortReason) => {
    assert.deepStrictEqual(outcome({ abortReason }), { ...always, result: "ignored" })
  })

  it("took what nobody was asked for a success of the endpoint", () => {
    const usage = { inputTokens: 0, outputTokens: 0, requests: 0 }
    assert.deepStrictEqual(outcome({ usage }), { ...always, result: "ignored" })
  })

  it("blamed a provider for a stream that its reader had drawn out to the end of its time", () => {
    const failure = new UpstreamFailure({ kind: "timeout", phase: "total" })
    const told = outcome({ failure, firstEventMillis: 400, latencyMillis: 1_800_000 })
    assert.strictEqual(told.result, "ignored")
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
  it.each(FailureKind.literals)("takes %s for what it is", (kind) => {
    assert.deepStrictEqual(failed({ kind, retryAfterMillis: 7 }), {
      ...always,
      result: expected[kind],
      kind,
      retryAfterMillis: 7
    })
  })

  const phases: ReadonlyArray<readonly [FailurePhase, number, Outcome["result"]]> = [
    // Half of 60 seconds, and half of what is left then.
    ["attempt", 30_000, "failure"],
    ["attempt", 15_000, "failure"],
    ["attempt", 7_500, "ignored"],
    ["total", 12_000, "failure"],
    ["total", 11_999, "ignored"],
    // Deadlines of its own.
    ["headers", 5_000, "failure"],
    ["connect", 5_000, "failure"]
  ]
  it.each(phases)("of a timeout in phase %s after %d ms is a %s", (phase, millis, result) => {
    assert.strictEqual(failed({ kind: "timeout", phase }, millis).result, result)
  })

  const own = withCredential(shared, {
    id: "key",
    isFallback: false,
    sortOrder: 0,
    declaredZdr: null
  })
  const told = (rest: Partial<RouteAttempt>) => {
    const { endpoint, result } = outcome({ candidate: own, ...rest })
    return [endpoint, result]
  }

  it("closed the breaker of the host's own refused key on a customer's success", () => {
    assert.deepStrictEqual(told({}), ["a/b@one#key", "success"])
  })

  it.each(FailureKind.literals)(
    "blamed everybody's endpoint for %s on a customer's credential",
    (kind) => {
      const byCredential: Partial<Record<FailureKind, string>> = {
        credential_refused: "failure",
        forbidden: "failure"
      }
      assert.deepStrictEqual(told({ failure: new UpstreamFailure({ kind }) }), [
        "a/b@one#key",
        byCredential[kind] ?? failureRules[kind].health
      ])
    }
  )
})
