import { assert, describe, it } from "vitest"
import type { Preferences } from "../../../src/routing/Preferences.ts"
import type { Requirements } from "../../../src/routing/Requirements.ts"
import { makeCandidate } from "../makeCandidate.ts"
import { downReport, makeSnapshot } from "../makeReport.ts"
import { makePlan, summarizePlan, toTags } from "./makePlan.ts"

const at = (provider: string, usd: number, reasoningFamily?: string) =>
  makeCandidate({
    provider,
    price: { prompt: `${usd}e-6`, completion: `${usd}e-6` },
    ...(reasoningFamily === undefined ? undefined : { reasoningFamily })
  })
const proxy = at("proxy", 1)
const gemini = at("gemini", 2, "google")
const claude = at("claude", 3, "anthropic")
const bedrock = at("bedrock", 4, "anthropic")
const all = [proxy, gemini, claude, bedrock]

const planFor = (
  requirements: Partial<Requirements>,
  preferences: Preferences = {},
  health = makeSnapshot()
) =>
  makePlan(all, preferences, {
    requirements: { parameters: [], inputTokens: 300, outputTokens: 100, ...requirements },
    health
  })
const signed = { reasoningFamilies: ["anthropic"], signedBy: "anthropic" }

describe("reasoning of earlier answers in a plan", () => {
  it("is no matter without signatures", () => {
    assert.deepStrictEqual(toTags(planFor({}).ordered), ["proxy", "gemini", "claude", "bedrock"])
    assert.isUndefined(planFor({}).dropped)
  })

  it("puts the family that signed the last answer first, and says why the others follow", () => {
    const { demoted, ordered } = summarizePlan(planFor(signed))
    assert.deepStrictEqual(ordered, ["claude", "bedrock", "proxy", "gemini"])
    const wanted = "wanted the provider family that signed the last answer, anthropic"
    assert.deepStrictEqual(demoted, {
      proxy: [`reasoning of request: ${wanted}, found none of its own`],
      gemini: [`reasoning of request: ${wanted}, found google`]
    })
  })

  it("yields to an order, a sort and an outage", () => {
    assert.strictEqual(toTags(planFor(signed, { order: ["gemini"] }).ordered)[0], "gemini")
    assert.strictEqual(toTags(planFor(signed, { sort: "price" }).ordered)[0], "proxy")
    const health = makeSnapshot({ claude: downReport, bedrock: downReport })
    assert.deepStrictEqual(toTags(planFor(signed, {}, health).ordered), [
      "proxy",
      "gemini",
      "claude",
      "bedrock"
    ])
  })

  it("demotes no endpoint when none reads the signature", () => {
    const { demoted, ordered } = planFor({ reasoningFamilies: ["xai"], signedBy: "xai" })
    assert.deepStrictEqual(toTags(ordered), ["proxy", "gemini", "claude", "bedrock"])
    assert.deepStrictEqual(demoted, [])
  })

  it("is dropped where it is foreign, and passed on by endpoints without a family", () => {
    const { dropped = [] } = planFor({ reasoningFamilies: ["anthropic", "unknown"] })
    assert.deepStrictEqual(
      dropped.map(({ candidate, parameters }) => [candidate.endpoint.tag, parameters]),
      [
        ["gemini", ["reasoning_details"]],
        ["claude", ["reasoning_details"]],
        ["bedrock", ["reasoning_details"]]
      ]
    )
  })
})
