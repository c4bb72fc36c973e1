import { assert, describe, it } from "vitest"
import { slugList } from "../../src/routing/slugList.ts"
import { candidate } from "./candidate.ts"

describe("slugList", () => {
  const base = candidate({ provider: "google-vertex", name: "Google Vertex" })
  const region = candidate({
    provider: "google-vertex",
    variant: "us-east5",
    name: "Google Vertex"
  })
  const tier = candidate({ provider: "openai", variant: "flex", name: "OpenAI" })
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
    // Service tiers are reached by their full name alone.
    [tier, "openai", false],
    [tier, "OpenAI", false],
    [tier, "flex", false],
    [tier, "openai/flex", true],
    [tier, "OpenAI/Flex", true],
    [candidate({ provider: "openai", variant: "priority" }), "openai", false],
    [candidate({ provider: "openai", variant: "flexible" }), "openai", true]
  ] as const

  it.each(cases.map((row) => [row[0].endpoint.tag, ...row] as const))(
    'of %s with "%3$s"',
    (_, candidate, slug, matches) => {
      assert.strictEqual(slugList([slug]).has(candidate), matches)
    }
  )
})
