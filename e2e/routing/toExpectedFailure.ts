/** The expected results of a request whose first provider fails, for every operation. */
import { expect } from "vitest"
import type { FailoverScenario } from "./failoverScenarios.ts"
import { toProviderName, type Slug } from "../support/TestServer.ts"
import type { DecisionMethod } from "../support/decisionMethods.ts"

const makeAttempt = (slug: Slug, status: number) => ({
  provider: toProviderName(slug),
  model: "proof/model",
  status
})

/** `stopped`: without a fallback. `passed`: the second provider serves the request. */
export const toExpectedFailure = (
  { alone, answered, kind, requests, retryAfter }: FailoverScenario,
  method: DecisionMethod
) => {
  const always = { logs: [] }
  const calls = { first: requests?.(method) ?? 1, second: 0 }
  const failed = { ...makeAttempt("first", answered ?? 0), error: kind }
  const status = answered === undefined ? undefined : { status: answered }
  const text = answered === undefined ? kind : `${kind} (${answered})`
  return {
    stopped: {
      ...always,
      status: alone,
      retryAfter,
      provider: undefined,
      message: expect.stringContaining(`Provider returned error: First: ${text}`),
      failures: [{ provider: "First", code: kind, ...status }],
      winner: 0,
      attempts: [failed],
      recorded: [["First", kind]],
      calls
    },
    passed: {
      ...always,
      status: 200,
      retryAfter: undefined,
      provider: "Second",
      message: undefined,
      failures: undefined,
      winner: 2,
      attempts: [failed, makeAttempt("second", 200)],
      recorded: [
        ["First", kind],
        ["Second", "served"]
      ],
      calls: { ...calls, second: 1 }
    }
  }
}
