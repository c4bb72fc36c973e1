import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { withoutSecrets } from "../../src/secrets/withoutSecrets.ts"

const secret = "sk-planted/secret"

describe("withoutSecrets", () => {
  it.each([
    ["plain text", `no: ${secret}`, "no: [redacted]"],
    ["an escaped slash", '"sk-planted\\/secret"', '"[redacted]"'],
    ["an escaped letter", '{"a":"sk-pl\\u0061nted/secret!"}', '{"a":"[redacted]!"}'],
    ["no JSON at all", "sk-pl\\u0061nted/secret", "sk-pl\\u0061nted/secret"]
  ])("blanks it in %s", (_, text, expected) => {
    assert.strictEqual(withoutSecrets(text, [secret]), expected)
  })

  it("left the end of a secret that begins with another one", () => {
    assert.strictEqual(withoutSecrets(`${secret}-2.`, [secret, `${secret}-2`]), "[redacted].")
  })

  it("leaves any JSON that does not hold it as it means", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify({ value, path: "C:\\x" })
        assert.deepStrictEqual(JSON.parse(withoutSecrets(text, [secret])), JSON.parse(text))
      }),
      { numRuns: 1_000 }
    )
  })

  it("keeps a key called __proto__ a key", () => {
    const text = `{"__proto__":{"x":"\\u0061"}}`
    assert.strictEqual(withoutSecrets(text, [secret]), '{"__proto__":{"x":"a"}}')
  })
})
