import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { maskSecret } from "../../../src/engine/secrets/redact.ts"

describe("maskSecret", () => {
  it.each([
    ["", "***"],
    ["sk-demo-member", "***"],
    ["123456789012345", "***"],
    ["1234567890123456", "123...6"],
    ["sk-or-v1-0123456789abcdef", "sk-o...ef"],
    ["sk-or-v1-0123456789abcdef0123456789a", "sk-or-...89a"]
  ])("shows %s as %s", (secret, shown) => {
    assert.strictEqual(maskSecret(secret), shown)
  })

  it("shows at most a quarter of a secret", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (secret) => {
        const shown = maskSecret(secret).length - 3
        assert.isAtMost(shown, Math.min(9, secret.length / 4))
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})
