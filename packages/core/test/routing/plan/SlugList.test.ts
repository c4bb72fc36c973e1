import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { pickScope, scaleRuns } from "../../../../../vitest.scope.ts"
import { makeSlugList } from "../../../src/routing/plan/SlugList.ts"
import { makeCandidate } from "../makeCandidate.ts"

const spelt = (names: ReadonlyArray<string>) =>
  fc.constantFrom(...names.flatMap((name) => [name, name.toUpperCase()]))

describe("SlugList", () => {
  const base = makeCandidate({ provider: "google-vertex", name: "Google Vertex" })
  const region = makeCandidate({
    provider: "google-vertex",
    variant: "us-east5",
    name: "Google Vertex"
  })
  const tier = makeCandidate({ provider: "openai", variant: "flex", name: "OpenAI" })
  const cases = [
    [base, "google-vertex", true],
    [base, "Google-Vertex", true],
    [base, "Google Vertex", true],
    [base, "google vertex", true],
    [base, "google-vertex/us-east5", false],
    [base, "google", false],
    [base, "google-vertex/", false],
    [base, "", false],
    [region, "google-vertex", true],
    [region, "google-vertex/us-east5", true],
    [region, "google-vertex/US-East5", true],
    [region, "Google Vertex", true],
    [region, "google-vertex/us-east", false],
    [region, "google-vertex/eu", false],
    [region, "us-east5", false],
    // Service tiers match by their full name only.
    [tier, "openai", false],
    [tier, "OpenAI", false],
    [tier, "flex", false],
    [tier, "openai/flex", true],
    [tier, "OpenAI/Flex", true],
    [makeCandidate({ provider: "openai", variant: "priority" }), "openai", false],
    [makeCandidate({ provider: "openai", variant: "flexible" }), "openai", true]
  ] as const

  it.each(cases.map((row) => [row[0].endpoint.tag, ...row] as const))(
    'of %s with "%3$s"',
    (_, candidate, slug, matches) => {
      assert.strictEqual(makeSlugList([slug]).has(candidate), matches)
    }
  )

  it("matches like a slug-by-slug comparison", () => {
    const provider = spelt(["one", "one/two", "two"])
    const variant = fc.option(spelt(["eu", "two", "flex", "priority", "eu/2"]), { nil: undefined })
    const name = spelt(["One", "Two", "one/eu", "The Third"])
    const tier = fc.constantFrom(undefined, "default", "flex", "priority")
    const slug = fc.oneof(
      fc
        .tuple(provider, variant)
        .map((parts) => parts.filter((part) => part !== undefined).join("/")),
      name,
      fc.constantFrom("", "/", "one/", "on", "eu", "__proto__")
    )
    let listed = 0
    fc.assert(
      fc.property(
        fc.record({ provider, variant, name, tier }),
        fc.array(slug, { maxLength: 5 }),
        ({ provider, variant, name, tier }, slugs) => {
          const asked = makeCandidate({
            provider,
            name,
            ...(variant === undefined ? undefined : { variant }),
            ...(tier === undefined ? undefined : { tier })
          })
          const means = (slug: string): boolean => {
            const [wanted, tag] = [slug.toLowerCase(), asked.endpoint.tag.toLowerCase()]
            if (wanted === tag) return true
            if (asked.endpoint.tier !== "default") return false
            return tag.startsWith(`${wanted}/`) || wanted === name.toLowerCase()
          }
          const place = slugs.findIndex(means)
          const list = makeSlugList(slugs)
          assert.strictEqual(list.has(asked), place >= 0)
          assert.strictEqual(list.indexOf(asked), place < 0 ? slugs.length : place)
          if (place >= 0) listed++
        }
      ),
      { numRuns: scaleRuns(2_000) }
    )
    assert.isAbove(listed, pickScope({ full: 200, sample: 0 }))
  })
})
