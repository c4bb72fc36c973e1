import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { Quantization } from "../../src/catalog/Quantization.ts"
import type { Candidate } from "../../src/routing/Candidate.ts"
import type { Constraint } from "../../src/routing/Constraint.ts"
import { estimatedCost } from "../../src/routing/estimatedCost.ts"
import { plan, type PlanInput } from "../../src/routing/plan.ts"
import type { Preferences } from "../../src/routing/Preferences.ts"
import { priceWeighted } from "../../src/routing/priceWeighted.ts"
import { ModelSlug } from "../../src/values/ModelSlug.ts"
import { candidate } from "./candidate.ts"
import { down as inOutage, snapshot } from "./report.ts"

const runs = { numRuns: 1_000 }
const models = ["a/b", "a/c"].map((slug) => ModelSlug.make(slug))
const providers = ["one", "two", "three"]
const variants = ["eu", "us", "flex", "priority"]
const parameters = ["tools", "seed"]

const usd = fc.constantFrom("0", "0.000001", "0.000002", "0.0000031", "0.1")
const candidates = fc
  .uniqueArray(
    fc.record(
      {
        of: fc.constantFrom<string>(...models),
        provider: fc.constantFrom(...providers),
        variant: fc.constantFrom(...variants),
        price: fc.record({ prompt: usd, completion: usd, request: usd }, { requiredKeys: [] }),
        contextLength: fc.constantFrom(500, 5_000, 50_000),
        supportedParameters: fc.subarray(parameters),
        quantization: fc.constantFrom(...Quantization.literals),
        data: fc.record({ collects: fc.boolean(), trains: fc.boolean(), retains: fc.boolean() }),
        distillable: fc.boolean()
      },
      { requiredKeys: ["of", "provider", "price"] }
    ),
    {
      maxLength: 10,
      size: "max",
      selector: ({ of, provider, variant }) => `${of} ${provider} ${variant}`
    }
  )
  .map((configs) =>
    configs.map((config) => candidate({ ...config, name: `The ${config.provider}` }))
  )

/** Base slugs, full slugs, display names, other spellings, and strangers. */
const slugs = fc.subarray(
  [
    ...providers,
    ...providers.flatMap((provider) => variants.map((variant) => `${provider}/${variant}`)),
    "The One",
    "the two",
    "THREE",
    "nobody"
  ],
  { maxLength: 4 }
)
const orNull = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { freq: 8 })
const cap = fc.constantFrom("0", "1", 2, "3.1", 0.5, "1e5")

/** One thing a request may restrict. */
const restriction: fc.Arbitrary<Preferences> = fc.oneof(
  fc.record({ only: orNull(slugs) }),
  fc.record({ ignore: orNull(slugs) }),
  fc.record({ zdr: orNull(fc.boolean()) }),
  fc.record({ data_collection: orNull(fc.constantFrom("allow", "deny")) }),
  fc.record({ enforce_distillable_text: orNull(fc.boolean()) }),
  fc.record({ quantizations: orNull(fc.subarray([...Quantization.literals])) }),
  fc.record({ require_parameters: orNull(fc.boolean()) }),
  fc.record({ allow_fallbacks: orNull(fc.boolean()) }),
  fc.record({
    max_price: fc.record({ prompt: cap, completion: cap, request: cap }, { requiredKeys: [] })
  })
)
const ordering: fc.Arbitrary<Preferences> = fc.record(
  {
    order: orNull(slugs),
    sort: orNull(
      fc.oneof(
        fc.constant("price" as const),
        fc.record(
          {
            by: orNull(fc.constant("price" as const)),
            partition: orNull(fc.constantFrom("model", "none"))
          },
          { requiredKeys: [] }
        )
      )
    )
  },
  { requiredKeys: [] }
)
const constraint: fc.Arbitrary<Constraint> = fc
  .oneof(
    fc.record({ only: slugs }),
    fc.record({ ignore: slugs }),
    fc.record({ zdr: fc.boolean() }),
    fc.record({ denyDataCollection: fc.boolean() }),
    fc.record({ budgeted: fc.boolean() })
  )
  .map((constraint) => ({ source: "account", ...constraint }))

const maybe = fc.option(restriction, { nil: {} })
const preferences = fc
  .tuple(ordering, maybe, maybe)
  .map(([ordering, one, other]): Preferences => ({ ...ordering, ...one, ...other }))

const input: fc.Arbitrary<PlanInput> = fc
  .record({
    candidates,
    preferences,
    constraints: fc.array(constraint, { maxLength: 1 }),
    demand: fc.record({
      parameters: fc.subarray(parameters),
      inputTokens: fc.constantFrom(1, 100, 1_000),
      outputTokens: fc.constantFrom(0, 100)
    }),
    down: fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
    seed: fc.integer()
  })
  .map(({ down, ...rest }) => ({
    ...rest,
    models: [{ id: models[0]! }, { id: models[1]! }] as const,
    health: snapshot(
      Object.fromEntries(
        rest.candidates.flatMap(({ id }, i) => (down[i] === true ? [[id, inOutage]] : []))
      )
    ),
    minSamples: 10,
    strategy: priceWeighted
  }))

const ids = (candidates: ReadonlyArray<Candidate>) => candidates.map(({ id }) => id)
const isListing = <A>(list: ReadonlyArray<A> | null | undefined): list is ReadonlyArray<A> =>
  list != null && list.length > 0

/** What a slug means, said another way than in the sources. */
const means = (slug: string, { endpoint, providerName }: Candidate): boolean => {
  const [provider = "", variant] = endpoint.tag.split("/")
  const names =
    variant === undefined
      ? [provider, providerName]
      : variant === "flex" || variant === "priority"
        ? [endpoint.tag]
        : [endpoint.tag, provider, providerName]
  return names.some((name) => name.toLowerCase() === slug.toLowerCase())
}

const within = (cap: string | number | undefined, price: number): boolean =>
  cap === undefined || price <= Number(cap) * 1.000001

describe("plan, for any request", () => {
  it("puts every candidate exactly once, among the ordered or among the rejected", () => {
    fc.assert(
      fc.property(input, (input) => {
        const { ordered, rejected } = plan(input)
        const all = [...ids(ordered), ...ids(rejected.map(({ candidate }) => candidate))]
        assert.sameMembers(all, ids(input.candidates))
        assert.lengthOf(all, input.candidates.length)
        for (const { reasons } of rejected) assert.isNotEmpty(reasons)
      }),
      runs
    )
  })

  it("orders exactly those that meet every rule of the request and above it", () => {
    const allowing = input.map((input) => ({
      ...input,
      preferences: { ...input.preferences, allow_fallbacks: true }
    }))
    fc.assert(
      fc.property(allowing, (input) => {
        const { constraints, demand, preferences } = input
        const { max_price = {}, ignore } = preferences
        // An empty list of a request is no restriction.
        const only = isListing(preferences.only) ? preferences.only : undefined
        const quantizations = isListing(preferences.quantizations)
          ? preferences.quantizations
          : undefined
        const isAllowed = (each: Candidate): boolean => {
          const { endpoint } = each
          const { completion, prompt, request } = endpoint.price.approximate
          const levels = quantizations?.flatMap((level) =>
            level === "fp4"
              ? ["fp4", "mxfp4", "nvfp4"]
              : level === "fp8"
                ? ["fp8", "mxfp8"]
                : [level]
          )
          const named = [only, preferences.order, ...constraints.map(({ only }) => only)]
          return (
            (endpoint.tier === "default" ||
              named.some((list) => list?.some((slug) => means(slug, each)))) &&
            [{ only, ignore }, ...constraints].every(
              ({ ignore, only }) =>
                (only?.some((slug) => means(slug, each)) ?? true) &&
                !ignore?.some((slug) => means(slug, each))
            ) &&
            (endpoint.zdr || ![preferences, ...constraints].some(({ zdr }) => zdr)) &&
            ((!endpoint.data.collects && !endpoint.data.trains) ||
              (preferences.data_collection !== "deny" &&
                !constraints.some(({ denyDataCollection }) => denyDataCollection))) &&
            (each.distillable || preferences.enforce_distillable_text !== true) &&
            (levels?.includes(endpoint.quantization) ?? true) &&
            within(max_price.prompt, prompt * 1e6) &&
            within(max_price.completion, completion * 1e6) &&
            within(max_price.request, request) &&
            (!constraints.some(({ budgeted }) => budgeted) || !Number.isNaN(prompt + completion)) &&
            (endpoint.contextLength ?? Infinity) >= demand.inputTokens + demand.outputTokens &&
            (preferences.require_parameters !== true ||
              demand.parameters.every((name) => endpoint.supportedParameters.has(name)))
          )
        }
        assert.sameMembers(ids(plan(input).ordered), ids(input.candidates.filter(isAllowed)))
      }),
      runs
    )
  })

  it("never gains a candidate by a restriction", () => {
    // Without fallbacks the best stays, and who is best may change: nobody is added to it.
    const base = input.filter(
      ({ preferences: { allow_fallbacks, order } }) => allow_fallbacks !== false || isListing(order)
    )
    fc.assert(
      fc.property(base, restriction, fc.option(constraint), (input, more, constraint) => {
        const { preferences } = input
        // What is there already stays; the new one narrows beside it.
        const restricted: Preferences = { ...more, ...preferences }
        const before = ids(plan(input).ordered)
        const after = ids(
          plan({
            ...input,
            preferences: restricted,
            constraints:
              constraint === null ? input.constraints : [...input.constraints, constraint]
          }).ordered
        )
        // Naming a service tier is asking for it, whatever else the list leaves out.
        const tiered = new Set(
          input.candidates.flatMap(({ endpoint, id }) => (endpoint.tier === "default" ? [] : [id]))
        )
        assert.includeMembers(
          before,
          after.filter((id) => !tiered.has(id))
        )
      }),
      runs
    )
  })

  it("is the same plan for the same seed and snapshot, and changes nothing it was given", () => {
    fc.assert(
      fc.property(input, (input) => {
        const before = structuredClone({ ...input, strategy: null })
        const first = plan(input)
        assert.deepStrictEqual(plan(input), first)
        assert.deepStrictEqual(structuredClone({ ...input, strategy: null }), before)
      }),
      runs
    )
  })

  it("obeys `order`: the listed first, in that order, the rest after them", () => {
    const listing = input.filter(({ preferences }) => isListing(preferences.order))
    fc.assert(
      fc.property(listing, (input) => {
        const { order, sort } = input.preferences
        const place = (each: Candidate): number => {
          const index = order!.findIndex((slug) => means(slug, each))
          return index < 0 ? order!.length : index
        }
        const { ordered, strategy } = plan(input)
        assert.strictEqual(strategy, "order")
        const isOne = typeof sort === "object" && sort?.partition === "none"
        const groups = isOne
          ? [ordered]
          : models.map((model) => ordered.filter(({ endpoint }) => endpoint.model === model))
        for (const group of groups) {
          const places = group.map(place)
          assert.deepStrictEqual(
            places,
            places.toSorted((a, b) => a - b)
          )
        }
      }),
      runs
    )
  })

  it("obeys `sort: price`: by estimated cost, unknown last", () => {
    fc.assert(
      fc.property(input, (input) => {
        const { ordered } = plan({
          ...input,
          preferences: {
            ...input.preferences,
            order: null,
            sort: { by: "price", partition: "none" }
          }
        })
        const costs = ordered.map((each) => estimatedCost(each, input.demand))
        assert.deepStrictEqual(
          costs,
          costs.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        )
      }),
      runs
    )
  })

  it("moves an outage back, and never removes for it", () => {
    const drawn = input.map((input) => ({
      ...input,
      models: [{ id: models[0]! }] as const,
      candidates: input.candidates.filter(({ endpoint }) => endpoint.model === models[0]),
      preferences: { ...input.preferences, order: null, sort: null, allow_fallbacks: null }
    }))
    fc.assert(
      fc.property(drawn, (input) => {
        const { ordered } = plan(input)
        const well = plan({ ...input, health: snapshot() }).ordered
        assert.sameMembers(ids(ordered), ids(well))
        const down = ordered.map(({ id }) => (Object.hasOwn(input.health.endpoints, id) ? 1 : 0))
        assert.deepStrictEqual(
          down,
          down.toSorted((a, b) => a - b)
        )
      }),
      runs
    )
  })

  it("tries nobody else when fallbacks are off", () => {
    fc.assert(
      fc.property(input, (input) => {
        const preferences = { ...input.preferences, allow_fallbacks: false }
        const { order } = preferences
        const { ordered } = plan({ ...input, preferences })
        const free = plan({ ...input, preferences: { ...preferences, allow_fallbacks: true } })
        assert.deepStrictEqual(
          ids(ordered),
          isListing(order)
            ? ids(free.ordered.filter((each) => order.some((slug) => means(slug, each))))
            : ids(free.ordered.slice(0, 1))
        )
      }),
      runs
    )
  })

  it("keeps each model's endpoints together, in the order of the models", () => {
    fc.assert(
      fc.property(input, (input) => {
        const { sort } = input.preferences
        if (typeof sort === "object" && sort?.partition === "none") return
        const places = plan(input).ordered.map(({ endpoint }) => models.indexOf(endpoint.model))
        assert.deepStrictEqual(
          places,
          places.toSorted((a, b) => a - b)
        )
      }),
      runs
    )
  })
})
