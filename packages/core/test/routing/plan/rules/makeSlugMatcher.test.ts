import { assert, describe, it } from "@effect/vitest"
import { makeSlugMatcher } from "../../../../src/routing/plan/rules/modelRules.ts"

describe("makeSlugMatcher", () => {
  it("matches all models of an author by author/*", () => {
    const isListed = makeSlugMatcher(["OpenAI/*", "acme/judge"])
    const slugs = ["openai/gpt-5", "openai/gpt-5:free", "acme/judge", "acme/judge:free"]
    assert.deepStrictEqual(
      slugs.filter((slug) => isListed(slug)),
      slugs
    )
    const others = ["openai-other/gpt-5", "openai", "acme/judges", "x/openai/gpt-5", "*/gpt-5", "/"]
    assert.deepStrictEqual(
      others.filter((slug) => isListed(slug)),
      []
    )
  })

  it("takes no other asterisk for a pattern", () => {
    const isListed = makeSlugMatcher(["openai/gpt*", "*"])
    assert.isFalse(isListed("openai/gpt-5"))
    assert.isTrue(isListed("openai/gpt*"))
  })
})
