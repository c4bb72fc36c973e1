import { isDeepStrictEqual } from "node:util"
import { assert, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { makeCallerInterner } from "../../../src/tenants/auth/Callers.ts"
import { AccountId, KeyHash, UserId, WorkspaceId } from "../../../src/values/ids/Ids.ts"
import { make as nano } from "../../../src/values/usage/NanoUsd.ts"

const plain = { noNullPrototype: true } as const

const rateLimit = fc.record(
  { requests: fc.constantFrom(1, 2), windowMillis: fc.constantFrom(1_000, 2_000) },
  plain
)

const caller = fc.record(
  {
    account: fc.constantFrom("one", "two", '"').map((id) => AccountId.make(id)),
    workspace: fc.constantFrom("one", "two").map((id) => WorkspaceId.make(id)),
    kind: fc.constantFrom("member", "host", "organization"),
    canManage: fc.constant(true),
    user: fc.constantFrom("ada", "bob", '","', "null").map((id) => UserId.make(id)),
    tags: fc.dictionary(fc.constantFrom("a", "__proto__"), fc.constantFrom("x", "y"), plain),
    keyHash: fc.constantFrom("a", "b").map((digit) => KeyHash.make(digit.repeat(64))),
    limit: fc.record(
      {
        cap: fc.constantFrom(nano(0n), nano(1n), nano(2n ** 60n), nano(2n ** 60n + 1n)),
        reset: fc.constantFrom("daily", null),
        includesByok: fc.boolean()
      },
      plain
    ),
    rateLimit,
    ownRateLimit: rateLimit
  },
  { ...plain, requiredKeys: ["account", "workspace", "kind"] }
)

it("callers share an object exactly when their fields are equal", () => {
  const pair = fc
    .tuple(caller, caller, fc.boolean())
    .map(([one, other, isCopy]) => [one, isCopy ? structuredClone(one) : other] as const)
  fc.assert(
    fc.property(pair, ([one, other]) => {
      const intern = makeCallerInterner()
      assert.strictEqual(intern(one) === intern(other), isDeepStrictEqual(one, other))
      assert.deepStrictEqual(intern(other), other)
    }),
    { numRuns: scaleRuns(2_000) }
  )
})
