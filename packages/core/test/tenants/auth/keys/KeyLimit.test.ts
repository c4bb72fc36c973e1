import { assert, describe, it } from "vitest"
import * as ApiKey from "../../../../src/tenants/auth/keys/ApiKey.ts"
import { toKeyLimit, computeRemaining } from "../../../../src/tenants/auth/keys/KeyLimit.ts"
import { noSpend, type Spend } from "../../../../src/engine/ledger/SpendCounters.ts"
import { KeyHash, defaultAccountId, defaultWorkspaceId } from "../../../../src/values/ids/Ids.ts"
import { make as nano } from "../../../../src/values/usage/NanoUsd.ts"

const key = (attributes: Partial<ApiKey.KeyAttributes>): ApiKey.ApiKey =>
  ApiKey.make(
    { account: defaultAccountId, workspace: defaultWorkspaceId, kind: "organization" },
    { secret_hash: KeyHash.make("a".repeat(64)), label: "***" },
    "2026-11-01T00:00:00.000Z",
    { name: "a key", ...attributes }
  )

const spend: Spend = {
  usage: nano(1_000_000_000n),
  usage_daily: nano(1n),
  usage_weekly: nano(10n),
  usage_monthly: nano(100n),
  byok_usage: nano(4_000_000_000n),
  byok_usage_daily: nano(2n),
  byok_usage_weekly: nano(20n),
  byok_usage_monthly: nano(200n)
}

describe("KeyLimit", () => {
  it("is absent for a key without a limit, which differs from a limit of 0", () => {
    assert.isUndefined(toKeyLimit(key({ limit: null, limit_reset: "daily" })))
    assert.deepStrictEqual(toKeyLimit(key({ limit: 0 })), {
      cap: nano(0n),
      reset: null,
      includesByok: false
    })
  })

  it.each([
    ["daily", false, 2_999_999_999n],
    ["daily", true, 2_999_999_997n],
    ["weekly", false, 2_999_999_990n],
    ["weekly", true, 2_999_999_970n],
    ["monthly", false, 2_999_999_900n],
    ["monthly", true, 2_999_999_700n],
    [null, false, 2_000_000_000n],
    [null, true, 0n]
  ] as const)(
    "leaves the unspent amount: %s, with BYOK spending counted: %s",
    (reset, byok, left) => {
      const limit = toKeyLimit(key({ limit: 3, limit_reset: reset, include_byok_in_limit: byok }))
      assert.isDefined(limit)
      assert.strictEqual(computeRemaining(limit, spend), nano(left))
      assert.strictEqual(computeRemaining(limit, noSpend), nano(3_000_000_000n))
    }
  )
})
