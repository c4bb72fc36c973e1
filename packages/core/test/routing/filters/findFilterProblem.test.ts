/** Patterns that would take long on some texts are refused when a guardrail is written. */
import { expect, it } from "vitest"
import { findFilterProblem } from "../../../src/routing/filters/findFilterProblem.ts"

const find = (...patterns: ReadonlyArray<string>) =>
  findFilterProblem(
    {
      content_filters: patterns.map((pattern) => ({ pattern, action: "redact" })),
      content_filter_builtins: null,
      content_filter_checks: null
    },
    new Map()
  )

it.each(["a.{480}[ab]", "a.{300}b", "a[abc]{260}c"])(
  "a pattern that takes a step for each of its states for each character is refused: %s",
  (pattern) => {
    expect(find(pattern)).toMatchObject({
      path: ["content_filters", 0, "pattern"],
      reason: "invalid_regex_pattern",
      problem: expect.stringMatching(/too many ways.*Shorten its repeats/)
    })
  }
)

it("patterns that are each small enough are refused where all of a guardrail are not", () => {
  expect(find("a.{100}b", "b.{100}c")).toBeUndefined()
  expect(find("a.{100}b", "b.{100}c", "c.{100}d")).toMatchObject({
    path: ["content_filters", 2, "pattern"]
  })
})

it("patterns of which all sets of states are remembered may have many", () => {
  const patterns = [
    "[ab]{1,400}c",
    String.raw`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`,
    String.raw`[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Z]{2,}`,
    "[A-Za-z0-9+/]{40,200}={0,2}",
    "(?:confidential|internal only|do not distribute)",
    ".{0,50}password.{0,50}"
  ]
  expect(find(...patterns)).toBeUndefined()
  expect(find(...Array.from({ length: 100 }, () => String.raw`\bEMP-\d{5}\b`))).toBeUndefined()
})
