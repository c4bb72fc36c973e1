/** What there is to see, whatever was asked, of a request whose first provider met it with a failure. */
import { expect } from "vitest"
import type { Situation } from "./situations.ts"
import { nameOf, type Slug } from "./Stage.ts"
import type { Way } from "./ways.ts"

const attempt = (slug: Slug, status: number) => ({
  provider: nameOf(slug),
  model: "proof/model",
  status
})

/** `stopped`: nobody else is asked. `passed`: the second provider serves it. */
export const metFailure = (
  { alone, answered, kind, requests, retryAfter }: Situation,
  way: Way
) => {
  const always = { logs: [] }
  const calls = { first: requests?.(way) ?? 1, second: 0 }
  const failed = { ...attempt("first", answered ?? 0), error: kind }
  const status = answered === undefined ? undefined : { status: answered }
  const said = answered === undefined ? kind : `${kind} (${answered})`
  return {
    stopped: {
      ...always,
      status: alone,
      retryAfter,
      provider: undefined,
      message: expect.stringContaining(`Provider returned error: First: ${said}`),
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
      attempts: [failed, attempt("second", 200)],
      recorded: [
        ["First", kind],
        ["Second", "served"]
      ],
      calls: { ...calls, second: 1 }
    }
  }
}
