import { assert, describe, it } from "vitest"
import * as ApiKey from "../../../../src/tenants/auth/keys/ApiKey.ts"
import { toKeyLimit } from "../../../../src/tenants/auth/keys/KeyLimit.ts"
import { KeyHash, defaultAccountId, defaultWorkspaceId } from "../../../../src/values/ids/Ids.ts"
import { make as nano } from "../../../../src/values/usage/NanoUsd.ts"

const key = (attributes: Partial<ApiKey.KeyAttributes>): ApiKey.ApiKey =>
  ApiKey.make(
    { account: defaultAccountId, workspace: defaultWorkspaceId, kind: "organization" },
    { secret_hash: KeyHash.make("a".repeat(64)), label: "***" },
    "2026-11-01T00:00:00.000Z",
    { name: "a key", ...attributes }
  )

describe("KeyLimit", () => {
  it("is absent for a key without a limit, which differs from a limit of 0", () => {
    assert.isUndefined(toKeyLimit(key({ limit: null, limit_reset: "daily" })))
    assert.deepStrictEqual(toKeyLimit(key({ limit: 0 })), {
      cap: nano(0n),
      reset: null,
      includesByok: false
    })
  })
})
