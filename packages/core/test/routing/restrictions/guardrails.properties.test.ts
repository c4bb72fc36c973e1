/** For any guardrails, the plan equals the plan of the candidates that satisfy all of them. */
import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { pickScope, scaleRuns } from "../../../../../vitest.scope.ts"
import { type Guardrail, dataRegions } from "../../../src/tenants/guardrails/Guardrail.ts"
import type { Candidate } from "../../../src/routing/Candidate.ts"
import { toConstraints } from "../../../src/routing/restrictions/RestrictionLoader.ts"
import { plan, type PlanInput } from "../../../src/routing/plan/plan.ts"
import { AccountId, ModelSlug } from "../../../src/values/ids/Ids.ts"
import { makeGuardrail } from "../../tenants/guardrails/makeGuardrail.ts"
import { makeCandidate } from "../makeCandidate.ts"
import { cheapest } from "../plan/makePlan.ts"
import { makeSnapshot } from "../makeReport.ts"
import { leastLatency, priceWeighted } from "../../../src/routing/plan/strategies/strategies.ts"

const models = ["a/b", "a/b:free", "openai/c", "x-ai/d"].map((slug) => ModelSlug.make(slug))
const canonical: Readonly<Record<string, string>> = { "a/b": "a/b-1", "a/b:free": "a/b-1" }
const providers = ["one", "two", "three"]
const regions = ["eu", "EU-west", "us", "us-east5", "asia", "europe", "usa", undefined]

const flag = fc.constantFrom(null, true, false)
const someOf = (names: ReadonlyArray<string>) =>
  fc.option(fc.subarray([...names], { minLength: 1 }), { freq: 2 })

const anyGuardrail: fc.Arbitrary<Guardrail> = fc
  .record({
    allowed_models: someOf(["a/b", "a/b:free", "A/B-1", "openai/c", "x-ai/d", "unlisted/e"]),
    ignored_models: someOf(["a/b:free", "a/b-1", "openai/c"]),
    allowed_providers: someOf([...providers, "ONE/eu", "unlisted"]),
    ignored_providers: someOf(["two", "three/eu", "unlisted"]),
    allowed_data_regions: fc.option(fc.subarray([...dataRegions], { minLength: 1 }), { freq: 2 }),
    enforce_zdr: flag,
    enforce_zdr_openai: flag,
    enforce_zdr_xai: flag,
    enforce_zdr_other: flag,
    enable_free_model_publication: flag,
    enable_free_model_training: flag,
    enable_paid_model_training: flag
  })
  .map(makeGuardrail)

const anyCandidate = fc
  .record({
    of: fc.constantFrom(...models),
    provider: fc.constantFrom(...providers),
    variant: fc.constantFrom("eu", "us"),
    region: fc.constantFrom(...regions),
    price: fc.constantFrom(
      { prompt: "0", completion: "0" },
      { prompt: "0.1", completion: "0" },
      {}
    ),
    data: fc.record({ collects: fc.boolean(), trains: fc.boolean(), retains: fc.boolean() })
  })
  .map(({ of, region, ...config }): Candidate => {
    const made = makeCandidate({
      of,
      ...config,
      ...(region === undefined ? undefined : { region })
    })
    const canonicalModel = canonical[of]
    return canonicalModel === undefined ? made : { ...made, canonicalModel }
  })

const candidates = fc.uniqueArray(anyCandidate, { selector: ({ id }) => id, maxLength: 12 })

/** The effect of a guardrail, written differently from the sources. */
const meets = ({ endpoint, canonicalModel = "" }: Candidate, rules: Guardrail): boolean => {
  const [author = ""] = endpoint.model.split("/")
  const [base = ""] = endpoint.model.split(":")
  const isModel = (slug: string) =>
    [endpoint.model, base, canonicalModel].includes(slug.toLowerCase())
  const isProvider = (slug: string) =>
    endpoint.tag === slug.toLowerCase() || endpoint.tag.startsWith(`${slug.toLowerCase()}/`)
  const isThere = {
    global: true,
    europe: /^(eu|europe)(-|$)/i.test(endpoint.region ?? ""),
    us: /^us(-|$)/i.test(endpoint.region ?? "")
  }
  const ofAuthor = {
    openai: rules.enforce_zdr_openai,
    "x-ai": rules.enforce_zdr_xai,
    a: rules.enforce_zdr_other
  }[author]
  const { completion, prompt } = endpoint.price.approximate
  const isFree = prompt === 0 && completion === 0
  return (
    (rules.allowed_models?.some(isModel) ?? true) &&
    !rules.ignored_models?.some(isModel) &&
    (rules.allowed_providers?.some(isProvider) ?? true) &&
    !rules.ignored_providers?.some(isProvider) &&
    (rules.allowed_data_regions?.some((region) => isThere[region]) ?? true) &&
    (endpoint.zdr || (ofAuthor ?? rules.enforce_zdr) !== true) &&
    !(isFree && endpoint.data.trains && rules.enable_free_model_training === false) &&
    !(!isFree && endpoint.data.trains && rules.enable_paid_model_training === false) &&
    !(isFree && endpoint.data.collects && rules.enable_free_model_publication === false)
  )
}

const input = fc.record({
  guardrails: fc.array(anyGuardrail, { maxLength: 3 }),
  candidates,
  seed: fc.integer(),
  strategy: fc.constantFrom(cheapest, priceWeighted, leastLatency({ explore: 0.3 })),
  preferences: fc.constantFrom({}, { sort: "price" } as const, { order: ["two", "one"] }),
  pool: fc.shuffledSubarray(models, { minLength: 1 })
})

const account = { id: AccountId.make("account") }
const ids = (all: ReadonlyArray<Candidate>) => all.map(({ id }) => id)

describe("the plan under any guardrails", () => {
  it("is the plan of the candidates that satisfy every guardrail", () => {
    let emptied = 0
    let served = 0
    fc.assert(
      fc.property(input, ({ candidates, guardrails, pool, ...rest }) => {
        const [first, ...others] = pool.map((id) => ({ id }))
        const base: PlanInput = {
          ...rest,
          models: [first!, ...others],
          candidates: candidates.filter(({ endpoint }) => pool.includes(endpoint.model)),
          constraints: [],
          requirements: { parameters: [], inputTokens: 10, outputTokens: 0 },
          health: makeSnapshot(),
          minSamples: 10
        }
        const under = plan({ ...base, constraints: toConstraints(account, [], guardrails) })
        const left = base.candidates.filter((each) =>
          guardrails.every((rules) => meets(each, rules))
        )
        const naive = plan({ ...base, candidates: left })
        assert.deepStrictEqual(under.ordered, naive.ordered)
        assert.deepStrictEqual(under.demoted, naive.demoted)
        assert.strictEqual(under.strategy, naive.strategy)
        assert.sameMembers(
          ids(under.rejected.map((each) => each.candidate)),
          ids(base.candidates.filter((each) => !left.includes(each)))
        )
        if (under.ordered.length > 0 && under.rejected.length > 0) served++
        if (under.ordered.length === 0 && base.candidates.length > 0) emptied++
      }),
      { numRuns: scaleRuns(10_000) }
    )
    // Both happen often enough to be meaningful.
    assert.isAbove(served, pickScope({ full: 500, sample: 0 }))
    assert.isAbove(emptied, pickScope({ full: 500, sample: 0 }))
  })

  it("does not depend on the order in which they are assigned", () => {
    fc.assert(
      fc.property(candidates, fc.array(anyGuardrail, { maxLength: 3 }), (all, guardrails) => {
        const [one, other] = [guardrails, guardrails.toReversed()].map((each) =>
          plan({
            models: [{ id: models[0]! }],
            candidates: all,
            preferences: { sort: "price" },
            constraints: toConstraints(account, [], each),
            requirements: { parameters: [], inputTokens: 10, outputTokens: 0 },
            health: makeSnapshot(),
            minSamples: 10,
            seed: 1,
            strategy: cheapest
          })
        )
        assert.deepStrictEqual(ids(one!.ordered), ids(other!.ordered))
      }),
      { numRuns: scaleRuns(2_000) }
    )
  })

  it("reuses one empty list without guardrails", () => {
    const none = toConstraints(account, [], [])
    assert.lengthOf(none, 0)
    assert.strictEqual(toConstraints({ id: AccountId.make("other") }, [], []), none)
  })

  it("puts the constraints of the account first", () => {
    const sources = toConstraints({ ...account, zdr: true }, [], [makeGuardrail({ name: "inner" })])
    assert.deepStrictEqual(
      sources.map(({ source }) => source),
      ["account", "guardrail inner"]
    )
  })
})
