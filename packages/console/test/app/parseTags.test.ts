import { describe, expect, it } from "vitest"
import { formatTags, parseTags } from "../../app/pages/keys/parseTags.ts"

describe("the tags of a key", () => {
  it.each([
    ["customer:acme, team:search", { customer: "acme", team: "search" }],
    ["url:https://acme.example", { url: "https://acme.example" }],
    ["", {}]
  ])("%j are read from a form", (text, tags) => {
    expect(parseTags(text)).toEqual(tags)
    expect(formatTags(tags).join(", ")).toBe(text)
  })

  it("may be called __proto__", () => {
    expect(formatTags(parseTags("__proto__:acme"))).toEqual(["__proto__:acme"])
  })

  it.each(["customer", "customer:", ":acme"])("are not %j", (text) => {
    expect(() => parseTags(text)).toThrow(`${text} is no tag`)
  })
})
