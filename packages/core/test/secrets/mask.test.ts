import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { mask } from "../../src/secrets/mask.ts"

describe("mask", () => {
  it.each([
    ["", "***"],
    ["sk-demo-member", "***"],
    ["123456789012345", "***"],
    ["1234567890123456", "123456...456"],
    ["sk-or-v1-0123456789abcdef", "sk-or-...def"]
  ])("shows %s as %s", (secret, shown) => {
    assert.strictEqual(mask(secret), shown)
  })

  it("never shows more than nine characters, nor how long the secret is", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (secret) => {
        assert.isTrue(mask(secret).length === 3 || mask(secret).length === 12)
      }),
      { numRuns: 1_000 }
    )
  })
})
