import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { jsonWithoutSecrets } from "../../src/secrets/jsonWithoutSecrets.ts"
import { withoutSecrets } from "../../src/secrets/withoutSecrets.ts"

const secret = "sk-planted/secret"
const other = "a header of the upstream itself"

/** Texts that hold a secret, a part of one, or neither. */
const text = fc
  .array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(secret, other, secret.slice(4))))
  .map((parts) => parts.join(""))
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true),
    fc.array(tie("value")),
    fc.dictionary(fc.oneof(fc.constant("__proto__"), fc.string()), tie("value"))
  )
})).value

/** The same JSON, its slashes and every third letter escaped. */
const escaped = (text: string): string =>
  text.replaceAll("/", "\\/").replaceAll("et", String.raw`\u0065t`)

describe("jsonWithoutSecrets", () => {
  it("reads what withoutSecrets leaves, however it is written", () => {
    const parse = jsonWithoutSecrets([secret, other])
    fc.assert(
      fc.property(json, fc.boolean(), (value, escape) => {
        const text = escape ? escaped(JSON.stringify(value)) : JSON.stringify(value)
        assert.deepStrictEqual(parse(text), JSON.parse(withoutSecrets(text, [secret, other])))
      }),
      { numRuns: 2_000 }
    )
  })

  it("blanks a secret that is spelt with escapes, and keeps a key called __proto__ a key", () => {
    const parse = jsonWithoutSecrets([secret])
    assert.strictEqual(
      JSON.stringify(parse(`{"__proto__":{"x":["sk-pl\\u0061nted/secret!"]}}`)),
      `{"__proto__":{"x":["[redacted]!"]}}`
    )
  })

  it("is JSON.parse where there are no secrets, and throws like it", () => {
    assert.deepStrictEqual(jsonWithoutSecrets([])('{"a":"b\\n"}'), { a: "b\n" })
    assert.throws(() => jsonWithoutSecrets([])("{"), SyntaxError)
    assert.throws(() => jsonWithoutSecrets([secret])("{"), SyntaxError)
  })
})
