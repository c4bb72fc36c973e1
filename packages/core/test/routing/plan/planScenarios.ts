/**
 * Requests for property tests: any candidates, preferences, constraints and health. Candidates and
 * reports are drawn from large fixed samples, because making one takes longer than a plan. All are
 * frozen.
 */
import fc from "fast-check"
import type { DataPolicy } from "../../../src/engine/catalog/endpoint/DataPolicy.ts"
import { Quantization } from "../../../src/engine/catalog/endpoint/Quantization.ts"
import type { Variant } from "../../../src/engine/catalog/model/Variant.ts"
import type { BreakerReport, EndpointReport } from "../../../src/engine/health/HealthSnapshot.ts"
import type { Candidate } from "../../../src/routing/Candidate.ts"
import type { Constraint } from "../../../src/routing/restrictions/Constraint.ts"
import {
  balanced,
  hotCold,
  leastLatency,
  priceWeighted
} from "../../../src/routing/plan/strategies/strategies.ts"
import type { PlanInput } from "../../../src/routing/plan/plan.ts"
import type { Preferences } from "../../../src/routing/Preferences.ts"
import { makeCandidate } from "../makeCandidate.ts"
import { ab, ac, cheapest } from "./makePlan.ts"
import { makeReport } from "../makeReport.ts"

const providers = ["one", "two", "three"]
const variants = ["eu", "us", "flex", "priority"]
const parameters = ["tools", "seed"]

/** Deeply frozen, so that a plan that changes its input fails. */
const deepFreeze = <A>(value: A): A => {
  if (!isPlain(value) || Object.isFrozen(value)) return value
  for (const each of Object.values(value)) deepFreeze(each)
  return Object.freeze(value)
}
const isPlain = (value: unknown): value is object => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Array.isArray(value)
}

const exactLength = (length: number) => ({ minLength: length, maxLength: length })

const sample = <A>(arbitrary: fc.Arbitrary<A>, size: number): fc.Arbitrary<A> =>
  fc.constantFrom(...fc.sample(arbitrary, { numRuns: size, seed: 1 }).map(deepFreeze))

const usd = fc.constantFrom("0", "0.000001", "0.000002", "0.0000031", "0.1")
const policy: fc.Arbitrary<DataPolicy> = fc.record({
  collects: fc.boolean(),
  trains: fc.boolean(),
  retains: fc.boolean()
})

const anyCandidate = sample(
  fc
    .record(
      {
        of: fc.constantFrom<string>(ab, ac),
        provider: fc.constantFrom(...providers),
        variant: fc.constantFrom(...variants),
        price: fc.record({ prompt: usd, completion: usd, request: usd }, { requiredKeys: [] }),
        contextLength: fc.constantFrom(500, 5_000, 50_000),
        maxPromptTokens: fc.constantFrom(50, 5_000),
        maxCompletionTokens: fc.constantFrom(50, 5_000),
        supportedParameters: fc.subarray(parameters),
        quantization: fc.constantFrom(...Quantization.literals),
        data: policy,
        distillable: fc.boolean(),
        needsOneOf: fc.subarray(parameters),
        checksParameters: fc.constant(true as const)
      },
      { requiredKeys: ["of", "provider", "price"] }
    )
    .map((config) => makeCandidate({ ...config, name: `The ${config.provider}` })),
  1_000
)

const candidates = fc.uniqueArray(anyCandidate, {
  maxLength: 10,
  size: "max",
  selector: ({ id }) => id
})

/** Base slugs, full slugs, display names, other spellings, and unknown names. */
const slugs = fc.subarray(
  [
    ...providers,
    ...providers.flatMap((provider) => variants.map((variant) => `${provider}/${variant}`)),
    "The One",
    "the two",
    "THREE",
    "unlisted"
  ],
  { maxLength: 4 }
)
const orNull = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { freq: 8 })
const cap = fc.constantFrom("0", "1", 2, "3.1", 0.5, "1e5")

/** A restriction of a request. */
export const restriction: fc.Arbitrary<Preferences> = fc.oneof(
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

const cutoffs = (values: ReadonlyArray<number>) => {
  const value = fc.constantFrom(...values)
  return orNull(
    fc.oneof(
      value,
      fc.record(
        { p50: orNull(value), p75: orNull(value), p90: orNull(value), p99: orNull(value) },
        { requiredKeys: [] }
      )
    )
  )
}
const latencyCutoffs = cutoffs([0, 0.3, 0.5, 1, 1.001, 5])
const throughputCutoffs = cutoffs([0, 10, 50, 51, 1e6])

export const threshold: fc.Arbitrary<Preferences> = fc.oneof(
  fc.record({ preferred_max_latency: latencyCutoffs }),
  fc.record({ preferred_min_throughput: throughputCutoffs }),
  fc.record({
    preferred_max_latency: latencyCutoffs,
    preferred_min_throughput: throughputCutoffs
  })
)

const sort = fc.constantFrom("price", "throughput", "latency", "exacto")
const ordering: fc.Arbitrary<Preferences> = fc.oneof(
  fc.constant({}),
  fc.record({ order: orNull(slugs) }),
  fc.record({
    sort: orNull(
      fc.oneof(
        sort,
        fc.record(
          { by: orNull(sort), partition: orNull(fc.constantFrom("model", "none")) },
          { requiredKeys: [] }
        )
      )
    )
  }),
  fc.record({
    order: slugs,
    sort: fc.record({ by: sort, partition: fc.constantFrom("model", "none") })
  })
)

export const constraint: fc.Arbitrary<Constraint> = fc
  .oneof(
    fc.record({ only: slugs }),
    fc.record({ ignore: slugs }),
    fc.record({ zdr: fc.boolean() }),
    fc.record({ denyDataCollection: fc.boolean() }),
    fc.record({ budgeted: fc.boolean() })
  )
  .map((constraint) => ({ source: "account", ...constraint }))

const constraints = fc.array(constraint, { maxLength: 1 })

const optional = <A extends object>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: {} })
const preferences = fc
  .tuple(ordering, optional(threshold), optional(restriction), optional(restriction))
  .map((all): Preferences => Object.assign({}, ...all))

/** The time of every snapshot. */
export const now = 1_000_000

const breaker: fc.Arbitrary<BreakerReport> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<BreakerReport>({ state: "closed" }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(-5_000, 0, 1, 5_000, 9_000).map((wait): BreakerReport => ({
      state: "open",
      since: now - 20_000,
      cause: "12 of 20 failed in 60 s",
      nextProbeAt: now + wait
    }))
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0, 0.1, 0.5, 0.99, 1).map((share): BreakerReport => ({
      state: "ramping",
      since: now - 3_000,
      share
    }))
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(-5_000, 0, 1, 5_000, 7_000).map((wait): BreakerReport => ({
      state: "backing_off",
      since: now - 1_000,
      cause: "rate limited 3 times in a row",
      until: now + wait
    }))
  }
)

const count = fc.constantFrom(0, 1, 5, 9, 10, 50)
const uptime = fc.constantFrom(0, 50, 79.9, 80, 94.9, 95, 99, 100)

const anyReport = sample(
  fc
    .record({
      samples: count,
      latency: fc.constantFrom(100, 300, 500, 1_000, 1_001, 3_000),
      throughputSamples: count,
      throughput: fc.constantFrom(10, 50, 51, 80, 400),
      answers: fc.record({ valid: count, invalid: count }),
      uptime: fc.record({ m5: uptime, m30: uptime, d1: uptime }, { requiredKeys: [] }),
      outage: fc.option(fc.constant({ failures: 3, of: 4 }), { nil: undefined, freq: 3 }),
      inFlight: fc.constantFrom(0, 1, 2, 16),
      recentMillis: fc.constantFrom(100, 300, 5_000),
      breaker
    })
    .map(({ latency, outage, samples, throughput, throughputSamples, ...rest }) =>
      makeReport({
        ...rest,
        samples,
        throughputSamples,
        // Whole numbers, so that expectations need no rounding.
        ...(samples === 0
          ? undefined
          : {
              latency: {
                p50: latency,
                p75: latency + 100,
                p90: 2 * latency,
                p99: 4 * latency
              }
            }),
        ...(throughputSamples === 0
          ? undefined
          : {
              throughput: {
                p50: throughput,
                p75: throughput - 1,
                p90: throughput - 5,
                p99: throughput - 9
              }
            }),
        ...(outage === undefined ? undefined : { outage })
      })
    ),
  2_000
)

/** Numbers that no endpoint reports, but a replayed snapshot may have. */
const number = fc.constantFrom(0, -1, 0.5, 5e-324, 1e300, -1e300, Number.MAX_VALUE)
const percentiles = fc.record({ p50: number, p75: number, p90: number, p99: number })
const extremeReport: fc.Arbitrary<EndpointReport> = sample(
  fc.record(
    {
      samples: number,
      latency: percentiles,
      throughput: percentiles,
      throughputSamples: number,
      answers: fc.record({ valid: number, invalid: number }),
      errors: fc.constant({}),
      rateLimited: number,
      recentMillis: number,
      inFlight: number,
      uptime: fc.record({ m5: number, d1: number }, { requiredKeys: [] }),
      outage: fc.record({ failures: number, of: number }),
      breaker: fc.oneof(
        fc.record({ state: fc.constant("ramping" as const), since: number, share: number }),
        fc.record({
          state: fc.constant("open" as const),
          since: number,
          cause: fc.constant(""),
          nextProbeAt: number
        }),
        fc.record({
          state: fc.constant("backing_off" as const),
          since: number,
          cause: fc.constant(""),
          until: number
        })
      )
    },
    {
      requiredKeys: [
        "samples",
        "throughputSamples",
        "answers",
        "errors",
        "rateLimited",
        "uptime",
        "breaker"
      ]
    }
  ),
  1_000
)

const variant = fc.constantFrom<Variant | undefined>(
  undefined,
  undefined,
  "nitro",
  "floor",
  "exacto"
)
const models = sample(
  fc
    .tuple(
      fc.constantFrom([ab], [ab, ac], [ac, ab], [ab, ac, ab]),
      fc.array(variant, exactLength(3))
    )
    .map(([ids, suffixes]): PlanInput["models"] => {
      const [first, ...others] = ids.map((id, index) => {
        const variant = suffixes[index]
        return { id, ...(variant === undefined ? undefined : { variant }) }
      })
      return [first!, ...others]
    }),
  300
)

const requirements = sample(
  fc.record({
    parameters: fc.subarray(parameters),
    inputTokens: fc.constantFrom(1, 100, 1_000),
    outputTokens: fc.constantFrom(0, 100)
  }),
  30
)
const strategy = fc.constantFrom(
  priceWeighted,
  leastLatency({ explore: 0.3 }),
  balanced(),
  hotCold(),
  cheapest
)

const makeScenario = (reports: fc.Arbitrary<EndpointReport>): fc.Arbitrary<PlanInput> =>
  fc
    .record({
      models,
      candidates,
      preferences,
      constraints,
      requirements,
      reports: fc.array(fc.option(reports, { nil: undefined, freq: 3 }), exactLength(10)),
      seed: fc.integer(),
      strategy,
      pin: fc.nat(40)
    })
    .map(({ candidates, models, pin, reports, ...rest }) => {
      const asked = candidates.filter(({ endpoint }) =>
        models.some(({ id }) => id === endpoint.model)
      )
      const pinned = asked[pin]
      return deepFreeze({
        ...rest,
        models,
        candidates: asked,
        health: {
          at: now,
          endpoints: Object.fromEntries(
            asked.flatMap(({ id }, index) => {
              const report = reports[index]
              return report === undefined ? [] : [[id, report]]
            })
          )
        },
        minSamples: 10,
        ...(pinned === undefined ? undefined : { pin: pinned.id })
      })
    })

export const scenario = makeScenario(anyReport)
export const extremeScenario = makeScenario(extremeReport)

/** A second implementation of how slugs match. */
export const matchesByName = (slug: string, { endpoint, providerName }: Candidate): boolean => {
  const [provider = "", variant] = endpoint.tag.split("/")
  const names =
    variant === undefined
      ? [provider, providerName]
      : variant === "flex" || variant === "priority"
        ? [endpoint.tag]
        : [endpoint.tag, provider, providerName]
  return names.some((name) => name.toLowerCase() === slug.toLowerCase())
}

/** The same for a restriction, which includes the service tiers of a provider. */
export const matchesByProvider = (slug: string, { endpoint, providerName }: Candidate): boolean => {
  const [wanted, tag] = [slug.toLowerCase(), endpoint.tag.toLowerCase()]
  return wanted === tag || tag.startsWith(`${wanted}/`) || wanted === providerName.toLowerCase()
}
