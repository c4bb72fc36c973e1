import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { listSecretEncodings, makeRedactor } from "../../../src/engine/secrets/Redactor.ts"
import { growth, linear } from "../../growth.ts"

const secret = "sk-planted/secret"
const header = 'a "header" of the\\upstream'
const redactor = makeRedactor([secret, header])

/** JSON whose characters may each be escaped. */
const written = (value: unknown, isEscaped: () => boolean): string => {
  if (typeof value === "string") {
    const texts = value.split("").map((unit) => {
      if (unit === "/" && isEscaped()) return "\\/"
      const plain = JSON.stringify(unit).slice(1, -1)
      const hex = unit.charCodeAt(0).toString(16).padStart(4, "0")
      return isEscaped() ? `\\u${isEscaped() ? hex : hex.toUpperCase()}` : plain
    })
    return `"${texts.join("")}"`
  }
  if (Array.isArray(value)) return `[${value.map((item) => written(item, isEscaped)).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([name, inner]) => `${written(name, isEscaped)}:${written(inner, isEscaped)}`
  )
  return `{${fields.join(",")}}`
}

/** The same value with changed strings and keys. */
const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [change(name), mapTexts(inner, change)])
  )
}

/** The redacted value, compared by value and key. */
const removeMarks = (value: unknown): unknown =>
  mapTexts(value, (text) => text.replaceAll(secret, "[redacted]").replaceAll(header, "[redacted]"))

/** Backslashes before a secret may belong to its escapes. */
const unescapeAll = (value: unknown): unknown =>
  mapTexts(value, (text) => text.replaceAll(/\\+\[redacted\]/g, "[redacted]"))

/** Texts with a secret, a part of one, or neither. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(secret, header, secret.slice(4), secret.slice(0, -1), "\n\\n\\")
    ),
    { maxLength: 5 }
  )
  .map((parts) => parts.join(""))
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.integer(),
    fc.constantFrom(null, true),
    fc.array(tie("value")),
    fc.dictionary(fc.oneof(fc.constantFrom("__proto__", secret), text), tie("value"))
  )
})).value

describe("redactJson", () => {
  it("redacts secrets in values and keys, with any characters escaped", () => {
    fc.assert(
      fc.property(json, fc.infiniteStream(fc.boolean()), (value, escapes) => {
        const text = written(value, () => escapes.next().value === true)
        assert.deepStrictEqual(
          unescapeAll(JSON.parse(redactor.redactJson(text))),
          unescapeAll(removeMarks(value))
        )
      }),
      { numRuns: scaleRuns(2_000) }
    )
  })

  it("redacts a secret in a key", () => {
    for (const name of [secret, String.raw`sk-pl\u0061nted\/secret`]) {
      assert.strictEqual(
        redactor.redactJson(`{"${name}":1,"a":"\\n"}`),
        `{"[redacted]":1,"a":"\\n"}`
      )
    }
  })

  it("redacts a secret in JSON inside JSON, whose characters are escaped twice", () => {
    const inner = String.raw`{"sk-pl\u0061nted\/secret":1}`
    const outer = JSON.stringify({ arguments: inner })
    assert.deepStrictEqual(JSON.parse(redactor.redactJson(outer)), {
      arguments: '{"[redacted]":1}'
    })
    const twice = JSON.stringify({ raw: outer })
    assert.notInclude(JSON.parse(JSON.parse(redactor.redactJson(twice)).raw).arguments, "secret")
  })

  it("returns valid JSON for a secret that begins like an escape", () => {
    for (const key of ["n0t-a-newline", "u0041-key", "0041-of-hex-digits", '"}],"x":[{"y":"']) {
      const value = { a: `\n0t-a-newline \u{41}-key`, b: [{ y: key }], x: [{ y: "" }] }
      for (const text of [JSON.stringify(value), String.raw`{"a":"\u0041-of-hex-digits"}`]) {
        assert.doesNotThrow(() => JSON.parse(makeRedactor([key]).redactJson(text)))
      }
    }
    const kept = String.raw`{"a":"\n0t-a-newline"}`
    assert.strictEqual(makeRedactor(["n0t-a-newline"]).redactJson(kept), kept)
    assert.strictEqual(
      makeRedactor(["n0t-a-newline"]).redactJson(String.raw`{"a":"\\n0t-a-newline"}`),
      String.raw`{"a":"\\[redacted]"}`
    )
  })

  it("returns a text without secrets unchanged", () => {
    const text = JSON.stringify({ path: "C:\\x", said: "sk-please", lines: "\n\u0000" })
    assert.strictEqual(redactor.redactJson(text), text)
    assert.strictEqual(makeRedactor([]).redactJson(secret), secret)
  })

  it.each([
    ["escapes", String.raw`\n`],
    ["backslashes", "\\\\"],
    ["beginnings", "sk-planted/secre "],
    ["secrets", "sk-pl\\u0061nted/secret "]
  ])("takes linear time for many %s", (_, each) => {
    const ratio = growth(50_000, (size) =>
      redactor.redactJson(`["${each.repeat(size)} ${secret}"]`)
    )
    assert.isBelow(ratio, linear)
  })

  it("redacts a text with backslashes without parsing it", () => {
    const calls: Array<string> = []
    const counted = (name: "parse" | "stringify") => {
      const own = JSON[name]
      Object.assign(JSON, { [name]: () => calls.push(name) })
      return () => Object.assign(JSON, { [name]: own })
    }
    const restore = [counted("parse"), counted("stringify")]
    try {
      redactor.redactJson(`{"a":"\\n","b":"${secret}"}`)
    } finally {
      for (const each of restore) each()
    }
    assert.lengthOf(calls, 0)
  })
})

describe("redactText", () => {
  it.each([
    ["plain text", `no: ${secret}`, "no: [redacted]"],
    ["an escaped slash", '"sk-planted\\/secret"', '"[redacted]"'],
    ["an escaped letter", '{"a":"sk-pl\\u0061nted/secret!"}', '{"a":"[redacted]!"}'],
    ["text that is not JSON", "sk-pl\\u0061nted/secret", "[redacted]"],
    ["text after a backslash", `C:\\${secret}`, "C:\\[redacted]"],
    ["quotes in the secret", `<${header}>`, "<[redacted]>"]
  ])("redacts %s", (_, text, expected) => {
    assert.strictEqual(redactor.redactText(text), expected)
  })

  it("redacts all of a secret that begins with another one", () => {
    assert.strictEqual(
      makeRedactor([secret, `${secret}-2`]).redactText(`${secret}-2.`),
      "[redacted]."
    )
  })

  it("redacts every encoding", () => {
    for (const spelling of listSecretEncodings(secret)) {
      assert.strictEqual(redactor.redactText(`<${spelling}>`), "<[redacted]>")
    }
  })

  it("does not search its own replacements", () => {
    assert.strictEqual(makeRedactor(["[redacted]"]).redactText("a [redacted] b"), "a [redacted] b")
  })
})
