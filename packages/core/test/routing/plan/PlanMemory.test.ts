import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { type PlanInput, plan } from "../../../src/routing/plan/plan.ts"
import { PlanMemory } from "../../../src/routing/plan/PlanMemory.ts"
import { balanced, priceWeighted } from "../../../src/routing/plan/strategies/strategies.ts"
import { none } from "../../../src/routing/Preferences.ts"
import { downReport, makeReport, makeSnapshot } from "../makeReport.ts"
import { makePricedCandidate } from "../makeCandidate.ts"
import { ab, toTags } from "./makePlan.ts"
import { scenario } from "./planScenarios.ts"

const strategy = fc.oneof(
  { weight: 8, arbitrary: fc.constant(priceWeighted) },
  { weight: 1, arbitrary: fc.constant(balanced()) }
)
const models = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(1) }
)
const request = fc.record({
  seed: fc.integer(),
  requirements: fc.record(
    {
      parameters: fc.subarray(["tools", "seed"]),
      preferredParameters: fc.subarray(["tools"]),
      mandatoryParameters: fc.subarray(["seed"]),
      ignoredParameters: fc.subarray(["other"]),
      inputTokens: fc.constantFrom(1, 100, 1_000, 20_000),
      outputTokens: fc.constantFrom(0, 100, 3_000),
      images: fc.constantFrom(0, 2)
    },
    { requiredKeys: ["parameters", "inputTokens", "outputTokens"] }
  ),
  isHealthy: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
  isRestricted: fc.boolean(),
  hasPreferences: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.constant(true)),
  models,
  strategy
})

describe("PlanMemory", () => {
  it("plans every request of a world as `plan` does", () => {
    const lists: ReadonlyArray<PlanInput["models"]> = [[{ id: ab }], [{ id: ab, variant: "nitro" }]]
    fc.assert(
      fc.property(
        scenario,
        fc.array(request, { minLength: 1, maxLength: 30 }),
        (world, requests) => {
          const candidates = world.candidates.filter(({ endpoint }) => endpoint.model === ab)
          const memory = new PlanMemory(candidates)
          const unrestricted: PlanInput["constraints"] = []
          for (const each of requests) {
            const input: PlanInput = {
              candidates,
              minSamples: 10,
              seed: each.seed,
              requirements: each.requirements,
              strategy: each.strategy,
              models: lists[each.models]!,
              constraints: each.isRestricted ? world.constraints : unrestricted,
              preferences: each.hasPreferences ? world.preferences : none,
              health: each.isHealthy ? { at: world.health.at, endpoints: {} } : world.health
            }
            expect(memory.plan(input)).toEqual(plan(input))
          }
        }
      ),
      { numRuns: scaleRuns(1_000) }
    )
  })

  const candidates = [makePricedCandidate("dear", 3), makePricedCandidate("cheap", 1)]
  const usual: PlanInput = {
    models: [{ id: ab }],
    candidates,
    preferences: none,
    constraints: [],
    requirements: { parameters: ["seed"], inputTokens: 300, outputTokens: 0 },
    health: makeSnapshot({ cheap: makeReport({ samples: 5 }) }),
    minSamples: 10,
    seed: 1,
    strategy: priceWeighted
  }

  it("gives requests that differ in their size and their health the same plan", () => {
    const memory = new PlanMemory(candidates)
    memory.plan(usual)
    const again = {
      ...usual,
      requirements: { parameters: ["seed"], inputTokens: 7, outputTokens: 9 },
      health: makeSnapshot()
    }
    expect(memory.plan(again)).toBe(memory.plan(usual))
  })

  it("draws anew for each seed", () => {
    const memory = new PlanMemory(candidates)
    const firsts = Array.from(
      { length: 100 },
      (_, seed) => toTags(memory.plan({ ...usual, seed }).ordered)[0]
    )
    expect(new Set(firsts)).toEqual(new Set(["dear", "cheap"]))
  })

  it("plans anew when an endpoint is down", () => {
    const memory = new PlanMemory(candidates)
    memory.plan(usual)
    const { demoted } = memory.plan({ ...usual, health: makeSnapshot({ cheap: downReport }) })
    expect(toTags(demoted.map(({ candidate }) => candidate))).toEqual(["cheap"])
  })
})
