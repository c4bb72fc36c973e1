/** Kept content has no secret, wherever it was planted, and what was JSON still is. */
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { redactContent } from "../../../src/domains/content/redactContent.ts"
import { redactionMark } from "../../../src/engine/secrets/Redactor.ts"

const characters = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...alphabet.split("")), { minLength: length, maxLength: length })
    .map((all) => all.join(""))
const hex = "0123456789abcdef"
const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
const mixed = `${upper}${upper.toLowerCase()}0123456789`

/** Keys of providers, which are found by themselves. */
const secret = fc.oneof(
  characters(hex, 64).map((rest) => `sk-or-v1-${rest}`),
  characters(mixed, 90).map((rest) => `sk-ant-api03-${rest}AA`),
  characters(mixed, 36).map((rest) => `ghp_${rest}`),
  characters(`${upper}234567`, 16).map((rest) => `AKIA${rest}`),
  characters(mixed, 35).map((rest) => `AIza${rest}`),
  characters(hex, 32).map((rest) => `dapi${rest}`),
  characters(hex, 64).map((rest) => `dop_v1_${rest}`),
  characters(mixed, 60).map((rest) => `eyJhbGciOiJIUzI1NiJ9.eyJ${rest}.${rest}`)
)

/** Secrets by the name of what they are assigned to, whatever they look like. */
const password = fc.tuple(
  fc.constantFrom("password", "api_key", "OPENAI_API_KEY", "clientSecret", "db_password", "secret"),
  fc.oneof(
    characters(mixed, 12),
    characters("0123456789", 10).map((digits) => `1${digits}`)
  )
)

const word = fc.string({ unit: "grapheme", maxLength: 8 })
const around = fc.constantFrom(" ", "\n", "'", '"', "(", "=", ", ")

/** Places where a secret may be: a text around it, and JSON around that, also as a text. */
const place: fc.Arbitrary<(inner: unknown) => unknown> = fc.oneof(
  fc.record({ name: word, other: fc.jsonValue({ maxDepth: 1 }) }).map(
    ({ name, other }) =>
      (inner: unknown) =>
        Object.fromEntries([
          [name, inner],
          [`${name}.`, other]
        ])
  ),
  fc.jsonValue({ maxDepth: 1 }).map((other) => (inner: unknown) => [other, inner]),
  fc
    .constantFrom(undefined, 2)
    .map(
      (indent) => (inner: unknown) =>
        typeof inner === "object" ? JSON.stringify(inner, null, indent) : inner
    )
)

const nest = (value: unknown, places: ReadonlyArray<(inner: unknown) => unknown>): unknown =>
  places.reduce((inner, wrap) => wrap(inner), value)

const places = fc.array(place, { maxLength: 6 })

/** Every text of a value that is JSON, and those inside it. */
const listJsonTexts = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string" && /^\s*[{[]/.test(value)) {
    try {
      return [value, ...listJsonTexts(JSON.parse(value))]
    } catch {
      return []
    }
  }
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(listJsonTexts)
    : []
}

describe("redactContent", () => {
  it("leaves no key of a provider anywhere, as a value, as a name or in a text", () => {
    fc.assert(
      fc.property(
        secret,
        fc.tuple(around, word, fc.constantFrom("text", "name", "twice")),
        places,
        (key, [edge, said, kind], all) => {
          const text = `${said}${edge}${key}${edge}${said}`
          const planted =
            kind === "text"
              ? { said: text }
              : kind === "name"
                ? { [text]: said }
                : `{"said":${JSON.stringify(text)},"said":"nothing"}`
          const kept = redactContent(nest(planted, all))
          assert.notInclude(JSON.stringify(kept), key)
        }
      ),
      { numRuns: scaleRuns(5_000) }
    )
  })

  it("leaves no value of a member that is called after a secret, as a text or a number", () => {
    fc.assert(
      fc.property(password, fc.boolean(), places, ([name, value], isNumber, all) => {
        const isNumeric = isNumber && /^\d+$/.test(value)
        const planted = {
          [name]: isNumeric ? Number(value) : value,
          said: `${name === "secret" ? "password" : name}=${value}`
        }
        assert.notInclude(JSON.stringify(redactContent(nest(planted, all))), value)
      }),
      { numRuns: scaleRuns(5_000) }
    )
  })

  it("leaves JSON in texts valid, also where it has a secret", () => {
    fc.assert(
      fc.property(fc.oneof(secret, word), password, places, (key, [name, value], all) => {
        const content = nest({ [name]: value, n: [key, null, true, 1.5] }, all)
        const texts = listJsonTexts(content)
        const kept = listJsonTexts(redactContent(content))
        assert.strictEqual(kept.length, texts.length)
      }),
      { numRuns: scaleRuns(5_000) }
    )
  })

  it("changes nothing that is no secret, and nothing a second time", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), places, (value, all) => {
        const content = nest(value, all)
        const kept = redactContent(content)
        assert.deepStrictEqual(redactContent(kept), kept)
        const text = JSON.stringify(kept)
        if (!text.includes("redacted")) assert.strictEqual(text, JSON.stringify(content))
      }),
      { numRuns: scaleRuns(3_000) }
    )
    // More digits than a double has.
    const precise = '{"id": 12345678901234567890, "name": "calm"}'
    assert.strictEqual(redactContent(precise), precise)
  })

  it("keeps the schema of a tool whose parameter is a password", () => {
    const schema = { properties: { password: { type: "string", minLength: 8 } } }
    assert.deepStrictEqual(redactContent(schema), schema)
    assert.deepStrictEqual(redactContent({ password: "a" }), { password: redactionMark })
  })

  it("takes texts that nest deeper than the stack", () => {
    const deep = `${"[".repeat(50_000)}"ghp_${"a1".repeat(18)}"${"]".repeat(50_000)}`
    assert.notInclude(String(redactContent(deep)), "ghp_")
  })
})
