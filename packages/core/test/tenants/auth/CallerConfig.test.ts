import * as Result from "effect/Result"
import { assert, describe, expectTypeOf, it } from "vitest"
import * as Subject from "../../../src/engine/ledger/Subject.ts"
import { type Caller, hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { type CallerConfig, validateCaller } from "../../../src/tenants/auth/CallerConfig.ts"
import { findCallOptionsProblem } from "../../../src/tenants/auth/findCallOptionsProblem.ts"
import { KeyHash, UserId } from "../../../src/values/ids/Ids.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"

const whole: Required<Caller> = {
  ...hostCaller,
  canManage: true,
  user: UserId.make("ada"),
  tags: { customer: "acme" },
  rateOwner: "ada",
  keyHash: KeyHash.make("a".repeat(64)),
  limit: { cap: NanoUsd.make(1n), reset: "daily", includesByok: false },
  grantedLimit: {
    cap: NanoUsd.make(1n),
    reset: "daily",
    includesByok: false,
    subject: Subject.fromKey(KeyHash.make("a".repeat(64)))
  },
  rateLimit: { requests: 1, windowMillis: 1_000 },
  ownRateLimit: { requests: 1, windowMillis: 1_000 },
  tokenRateLimit: { tokens: 1, windowMillis: 1_000 },
  ownTokenRateLimit: { tokens: 1, windowMillis: 1_000 },
  maxParallelRequests: 1,
  ownMaxParallelRequests: 1,
  bundle: { name: "starter", budgets: [], countsByok: false }
}

const findProblem = (config: unknown) => {
  const checked = validateCaller(config, "member")
  return Result.isFailure(checked) ? checked.failure : undefined
}

describe("a caller configured by the host", () => {
  it("may not choose a bundle, which is that of its workspace", () => {
    assert.deepInclude(findProblem({ user: "ada", bundle: "pro" }), {
      path: ["bundle"],
      problem: "is that of the workspace; leave it out"
    })
  })

  it("may have a key, a limit and rate limits of its own", () => {
    assert.isUndefined(findCallOptionsProblem({ caller: whole }))
    assert.isUndefined(findProblem(whole))
    expectTypeOf<Caller>().toExtend<CallerConfig>()
  })

  it("may have eight tags, of any name that is legal", () => {
    const tags = Object.fromEntries(
      ["__proto__", ...Array.from("abcdef"), "x".repeat(64)].map((key) => [key, "é 😀"])
    )
    const checked = validateCaller({ user: "ada", tags }, "member")
    assert.deepStrictEqual(
      Result.isSuccess(checked) ? Object.entries(checked.success.tags ?? {}) : checked.failure,
      Object.entries(tags)
    )
  })

  it("needs no branded ids", () => {
    assert.isUndefined(findProblem({ account: "acme", user: "ada", limit: 5, limitReset: "daily" }))
  })

  it.each([
    ["a limit in USD inside", { limit: { cap: 1, reset: null, includesByok: true } }, "limit"],
    ["a misspelt limit", { limit: { most: 1n } }, "limit"],
    ["a limit below 0", { limit: -1 }, "limit"],
    ["two resets", { limitReset: "daily" }, "limitReset"],
    ["no requests", { rateLimit: { requests: 0, windowMillis: 1 } }, "rateLimit"],
    ["a key hash that is a label", { keyHash: "sk-1" }, "keyHash"],
    ["an unknown field", { limt: 5 }, "limt"],
    ["an empty workspace", { workspace: "" }, "workspace"],
    ["an undefined user", { user: undefined }, "user"],
    [
      "nine tags",
      { tags: Object.fromEntries(Array.from("abcdefghi", (key) => [key, "x"])) },
      "tags"
    ],
    ["a tag with a colon", { tags: { "a:b": "x" } }, "tags"],
    ["an empty tag", { tags: { a: "" } }, "tags"],
    ["a tag with a line break", { tags: { a: "x\ny" } }, "tags"],
    ["a long tag", { tags: { a: "x".repeat(257) } }, "tags"],
    ["a tag that is a number", { tags: { a: 7 } }, "tags"]
  ])("is rejected if it would restrict nothing: %s", (_, wrong, place) => {
    assert.strictEqual(findProblem({ ...whole, ...wrong })?.path[0], place)
  })

  it("needs a user, unless it is an organization", () => {
    assert.deepStrictEqual(findProblem({ account: "acme" })?.path, ["user"])
    assert.isUndefined(findProblem({ account: "acme", kind: "organization" }))
  })
})
