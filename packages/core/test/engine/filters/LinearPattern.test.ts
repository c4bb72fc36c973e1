/** The engine of custom patterns: the matches of JavaScript, in linear time. */
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compilePattern } from "../../../src/engine/filters/pattern/LinearPattern.ts"

const find = (pattern: string, text: string): ReadonlyArray<readonly [number, number]> =>
  Result.getOrThrow(compilePattern(pattern))
    .findAll(text)
    .map(({ end, start }) => [start, end])

const findNatively = (pattern: string, text: string): ReadonlyArray<readonly [number, number]> =>
  Array.from(
    text.matchAll(new RegExp(pattern, "g")),
    ({ 0: match, index }) => [index, index + match.length] as const
  ).filter(([start, end]) => end > start)

const patterns = [
  "EMP-\\d{5}",
  "a.*b|a",
  "[a-c]+x?",
  "(?:ab|a)(?:bc)?",
  "\\bfoo\\b",
  "^a+",
  "b+$",
  "a*?b",
  "x{2,4}?",
  "[^\\s]+@\\w+",
  "(a|)*b",
  "(?:|a)*?b",
  "a|ab|abc",
  "(?<n>a)b",
  "[\\w-]+",
  "\\u0061+",
  "a{,3}",
  "[\\]a]+",
  "(?:a|b)+?c",
  "\\B.\\B",
  "a?b?c?",
  "[\\s\\S]{3}",
  "\\x61[^b]"
]

describe("a pattern of a content filter", () => {
  it.each(patterns)("finds what JavaScript finds: %s", (pattern) => {
    const text = fc.string({
      unit: fc.constantFrom(..."aaabbccx foo-1@5EMP\n".split(""), "é", "\u2028"),
      maxLength: 20
    })
    fc.assert(
      fc.property(text, (text) => {
        expect(find(pattern, text)).toEqual(findNatively(pattern, text))
      }),
      { numRuns: 200 }
    )
  })

  it.each([
    ["(a+)+$", /nested quantifiers/],
    ["([a-z]+\\.)*x", /nested quantifiers/],
    ["(?=a)b", /look-ahead/],
    ["(?!a)b", /look-ahead/],
    ["(?<=a)b", /look-behind/],
    ["(?<!a)b", /look-behind/],
    ["(a)\\1", /back reference/],
    ["(?<n>a)\\k<n>", /back reference/],
    ["[a", /no regular expression/],
    ["\\p{L}", /unsupported escape/],
    ["a{2000}", /repeats more than/],
    ["(?:a{50}){50}", /too large/],
    ["(".repeat(200) + "a" + ")".repeat(200), /deeper/]
  ])("is refused: %s", (pattern, problem) => {
    expect(Result.getOrThrow(Result.flip(compilePattern(pattern)))).toMatch(problem)
  })

  it("finds matches on both sides of where windows of a long text meet", () => {
    const text = "-".repeat(16_380) + "EMP-12345" + "-".repeat(20_000) + "EMP-67890"
    expect(find("EMP-\\d{5}", text)).toEqual(findNatively("EMP-\\d{5}", text))
    expect(find("^-+E", text)).toHaveLength(1)
  })
})
