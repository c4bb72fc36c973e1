import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { pickFilters, toChartScope } from "../../app/pages/requests/filters.ts"
import { quote, toCurl } from "../../app/pages/requests/toCurl.ts"

describe("filters of requests", () => {
  it("are those of the address that are set", () => {
    expect(pickFilters({ model: "a", user: "", range: "1h", other: "x" })).toEqual({ model: "a" })
  })

  it("are charted one at a time, and the others are named", () => {
    expect(toChartScope({})).toEqual({ dimension: "total", value: undefined, ignored: [] })
    expect(toChartScope({ model: "a", user: "b" })).toEqual({
      dimension: "model",
      value: "a",
      ignored: ["user"]
    })
    // Series have no session, and no dimension has all failures.
    expect(toChartScope({ outcome: "failed", session_id: "s" })).toEqual({
      dimension: "total",
      value: undefined,
      ignored: ["outcome", "session"]
    })
  })
})

describe("a request as curl", () => {
  it.each(["it's", "$(touch x)", "`id`", String.raw`a\b`, "two\nlines", `"quoted"`])(
    "passes %j through a shell unchanged",
    (text) => {
      expect(execFileSync("sh", ["-c", `printf %s ${quote(text)}`], { encoding: "utf8" })).toBe(
        text
      )
    }
  )

  it("is for the path of its operation", () => {
    expect(toCurl("decisions", { model: "a" })).toBe(
      [
        `curl "$SIGNALBOX_URL/api/alpha/decisions"`,
        `-H "Authorization: Bearer $SIGNALBOX_API_KEY"`,
        `-H "Content-Type: application/json"`,
        `-d '{"model":"a"}'`
      ].join(" \\\n  ")
    )
  })
})
