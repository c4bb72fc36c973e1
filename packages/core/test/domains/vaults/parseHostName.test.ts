import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { isSecretName, parseHostName } from "../../../src/domains/vaults/checkSecret.ts"

const parseOrUndefined = (text: string): string | undefined =>
  Result.getOrUndefined(parseHostName(text))

const letter = fc.constantFrom("a", "e", "k", "s", "x", "z")
const label = fc
  .tuple(
    letter,
    fc.string({ unit: fc.oneof(letter, fc.constantFrom("0", "5", "9")), maxLength: 20 })
  )
  .map(([first, rest]) => `${first}${rest}`)
/** A normalized host name. */
const name = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join("."))

const toMixedCase = (text: string, upper: ReadonlyArray<boolean>): string =>
  Array.from(text, (char, at) => (upper[at] === true ? char.toUpperCase() : char)).join("")

describe("parseHostName", () => {
  it("accepts a name in any case, with or without a trailing dot", () => {
    fc.assert(
      fc.property(name, fc.array(fc.boolean()), fc.boolean(), (text, upper, dotted) => {
        assert.strictEqual(parseOrUndefined(toMixedCase(text, upper) + (dotted ? "." : "")), text)
      })
    )
  })

  it("is idempotent, and matches the host name of a URL", () => {
    fc.assert(
      fc.property(
        fc.oneof(name, fc.webAuthority(), fc.domain(), fc.ipV4(), fc.ipV6(), fc.string()),
        (text) => {
          const once = parseOrUndefined(text)
          const isKept = once === undefined || new URL(`https://${once}`).hostname === once
          assert.isTrue(isKept)
          assert.strictEqual(parseOrUndefined(once ?? ""), once)
        }
      ),
      { numRuns: scaleRuns(500) }
    )
  })

  it.each([
    "",
    ".",
    "..",
    "a..example",
    ".a.example",
    "a.example..",
    "*.example.com",
    "*",
    "https://example.com",
    "example.com/",
    "example.com/path",
    "example.com:443",
    "user@example.com",
    "user:password@example.com",
    "example.com?x",
    "example.com#x",
    "example.com\\x",
    " example.com",
    "example.com ",
    "example.com\n",
    "exam ple.com",
    "exa%6dple.com",
    "a_b.example.com",
    "-a.example.com",
    "a-.example.com",
    "1.2.3.4",
    "1.2.3.4.",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "example.1",
    "[::1]",
    "::1",
    "bücher.example",
    "ex\u0430mple.com",
    // The Kelvin sign, whose lower case is k, and the long s, whose upper case is S.
    "\u212Aelvin.example",
    "\u017Fign.example",
    "example\u3002com",
    "ex\u00ADample.com",
    "\uFF45xample.com",
    "xn--",
    `${"a".repeat(64)}.example`,
    Array.from({ length: 64 }, () => "abc").join(".")
  ])("rejects %j", (text) => {
    assert.isUndefined(parseOrUndefined(text))
  })

  it.each([
    ["localhost", "localhost"],
    ["API.Example.COM.", "api.example.com"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["XN--BCHER-KVA.example", "xn--bcher-kva.example"],
    ["1password.com", "1password.com"],
    ["a--b.example", "a--b.example"],
    [`${"a".repeat(63)}.example`, `${"a".repeat(63)}.example`]
  ])("normalizes %j to %j", (text, expected) => {
    assert.strictEqual(parseOrUndefined(text), expected)
  })
})

describe("isSecretName", () => {
  it.each(["a", "a1", "a_b", "a1_2_c3", "a".repeat(255), "__proto__".replaceAll("_", "")])(
    "accepts %j",
    (text) => {
      assert.isTrue(isSecretName(text))
    }
  )

  it.each([
    "",
    "A",
    "1a",
    "_a",
    "a_",
    "a__b",
    "a-b",
    "a.b",
    "a b",
    "a\n",
    "ä",
    "__proto__",
    "a".repeat(256)
  ])("rejects %j", (text) => {
    assert.isFalse(isSecretName(text))
  })

  it("accepts lower-case words and digits with single underscores between them", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "0"), minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        const text = words.join("_")
        assert.strictEqual(isSecretName(text), /^[ab]/.test(text))
      })
    )
  })
})
