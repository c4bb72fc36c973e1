import { assert, describe, it } from "vitest"
import { type Caller, host } from "../../src/auth/Caller.ts"
import { callerProblem, callOptionsProblem } from "../../src/auth/statedCaller.ts"
import { KeyHash } from "../../src/values/KeyHash.ts"
import * as NanoUsd from "../../src/values/NanoUsd.ts"
import { UserId } from "../../src/values/UserId.ts"

const whole: Required<Caller> = {
  ...host,
  user: UserId.make("ada"),
  keyHash: KeyHash.make("a".repeat(64)),
  limit: { cap: NanoUsd.make(1n), reset: "daily", includesByok: false },
  rateLimit: { requests: 1, windowMillis: 1_000 },
  ownRateLimit: { requests: 1, windowMillis: 1_000 }
}

describe("a caller that a host states", () => {
  it("was refused in process with a key, a limit or rates of its own", () => {
    assert.isUndefined(callOptionsProblem({ caller: whole }))
    assert.isUndefined(callerProblem(whole))
  })

  it.each([
    ["a limit in USD", { limit: { cap: 1, reset: null, includesByok: true } }, ["limit", "cap"]],
    ["a limit that is misspelt", { limit: { most: 1n } }, ["limit", "cap"]],
    ["no requests", { rateLimit: { requests: 0, windowMillis: 1 } }, ["rateLimit", "requests"]],
    ["a key by its label", { keyHash: "sk-1" }, ["keyHash"]]
  ])("is refused with what would restrict nothing: %s", (_, wrong, path) => {
    assert.deepStrictEqual(callerProblem({ ...whole, ...wrong })?.path, path)
  })
})
