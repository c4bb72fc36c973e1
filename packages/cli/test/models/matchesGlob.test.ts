import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { makeNameFilter, matchesGlob } from "../../src/models/matchesGlob.ts"

/** The same rule in another way: as a regular expression. */
const matchesPattern = (pattern: string, name: string): boolean => {
  const source = Array.from(pattern, (character) =>
    character === "*"
      ? "[^]*"
      : character === "?"
        ? "[^]"
        : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
  return new RegExp(`^${source.join("")}$`).test(name)
}

describe("a pattern of names", () => {
  test("matches what the same regular expression matches", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "/", ".", "*", "?"), maxLength: 8 })
    fc.assert(
      fc.property(text, text, (pattern, name) => {
        expect(matchesGlob(pattern, name)).toBe(matchesPattern(pattern, name))
      }),
      { numRuns: 2_000 }
    )
  })

  test("takes no longer for many stars", () => {
    expect(matchesGlob(`${"*a".repeat(5_000)}b`, "a".repeat(5_000))).toBe(false)
  })

  test.each([
    ["acme/*", "acme/talker:free", true],
    ["*:free", "acme/talker:free", true],
    ["*/talker", "acme/talker:free", false],
    ["acme", "acme/talker", false],
    ["ACME/*", "acme/talker", false],
    ["", "", true]
  ])("%j and %j: %s", (pattern, name, isMatch) => {
    expect(matchesGlob(pattern, name)).toBe(isMatch)
  })
})

test("what is excluded is never included", () => {
  const wants = makeNameFilter(["acme/*", "other/*"], ["*:free"])
  expect(["acme/a", "acme/a:free", "other/b", "third/c"].filter(wants)).toEqual([
    "acme/a",
    "other/b"
  ])
  expect(["a/b", "a/b:free"].filter(makeNameFilter([], ["*:free"]))).toEqual(["a/b"])
})
