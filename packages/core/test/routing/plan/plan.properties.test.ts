import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { EndpointReport } from "../../../src/engine/health/HealthSnapshot.ts"
import type { Candidate } from "../../../src/routing/Candidate.ts"
import { estimateCost } from "../../../src/routing/plan/selectPrices.ts"
import { type Plan, plan, type PlanInput } from "../../../src/routing/plan/plan.ts"
import type { Preferences, ProviderSort } from "../../../src/routing/Preferences.ts"
import type { Demotion } from "../../../src/routing/Reason.ts"
import {
  constraint,
  matchesByName,
  matchesByProvider,
  now,
  restriction,
  scenario,
  threshold,
  extremeScenario
} from "./planScenarios.ts"

const runs = { numRuns: scaleRuns(10_000) }

const ids = (candidates: ReadonlyArray<Candidate>) => candidates.map(({ id }) => id)
const listCandidateIds = ({ ordered, rejected }: Plan) => [
  ...ids(ordered),
  ...ids(rejected.map(({ candidate }) => candidate))
]

const isListing = <A>(list: ReadonlyArray<A> | null | undefined): list is ReadonlyArray<A> =>
  list != null && list.length > 0
const isOrdered = ({ preferences }: PlanInput) => isListing(preferences.order)
/** Whether only the best candidate is left, which can change with anything. */
const isBestOnly = (input: PlanInput) =>
  input.preferences.allow_fallbacks === false && !isOrdered(input)
const allowing = (input: PlanInput): PlanInput => ({
  ...input,
  preferences: { ...input.preferences, allow_fallbacks: true }
})
const withPreferences = (input: PlanInput, preferences: Preferences): PlanInput => ({
  ...input,
  preferences: { ...input.preferences, ...preferences }
})
const unmeasured = { at: now, endpoints: {} }

const isAcrossModels = ({ models, preferences: { sort } }: PlanInput): boolean =>
  models.length === 1 || (typeof sort === "object" && sort?.partition === "none")

/** The lists a plan is made of: one for each model, or one for all. */
const groupsOf = (input: PlanInput, { ordered }: Plan) =>
  isAcrossModels(input)
    ? [{ group: ordered, variant: input.models[0].variant }]
    : input.models
        .filter(({ id }, index) => input.models.findIndex((model) => model.id === id) === index)
        .map(({ id, variant }) => ({
          group: ordered.filter(({ endpoint }) => endpoint.model === id),
          variant
        }))

const sortOf = (
  { preferences: { sort } }: PlanInput,
  variant: PlanInput["models"][0]["variant"]
): ProviderSort | undefined => {
  const stated = typeof sort === "string" ? sort : sort?.by
  if (stated != null) return stated
  return variant && ({ nitro: "throughput", floor: "price", exacto: "exacto" } as const)[variant]
}

const within = (cap: string | number | undefined, price: number): boolean =>
  cap === undefined || price <= Number(cap) * 1.000001

/** Every rule of the request and its restrictions, written differently from the sources. */
const isEligible = (each: Candidate, input: PlanInput): boolean => {
  const { constraints, requirements, models, pin, preferences } = input
  const { endpoint } = each
  const { max_price = {}, ignore } = preferences
  const isTaken = (name: string) =>
    endpoint.supportedParameters?.has(name) ?? each.checksParameters === true
  // An empty list of a request is no restriction.
  const only = isListing(preferences.only) ? preferences.only : undefined
  const levels = isListing(preferences.quantizations)
    ? preferences.quantizations.flatMap((level): ReadonlyArray<string> =>
        level === "fp4" ? ["fp4", "mxfp4", "nvfp4"] : level === "fp8" ? ["fp8", "mxfp8"] : [level]
      )
    : undefined
  const { completion, prompt, request } = endpoint.price.approximate
  const named = [only, preferences.order, ...constraints.map(({ only }) => only)]
  const variant = models.find(({ id }) => id === endpoint.model)?.variant
  const tokens = requirements.inputTokens + requirements.outputTokens
  return (
    (endpoint.tier === "default" ||
      (!isOrdered(input) && variant === "nitro" && endpoint.tier === "priority") ||
      (!isOrdered(input) && variant === "floor" && endpoint.tier === "flex") ||
      named.some((list) => list?.some((slug) => matchesByName(slug, each)))) &&
    [{ only, ignore }, ...constraints].every(
      ({ ignore, only }) =>
        (only?.some((slug) => matchesByProvider(slug, each)) ?? true) &&
        !ignore?.some((slug) => matchesByProvider(slug, each))
    ) &&
    (preferences.allow_fallbacks !== false ||
      !isListing(preferences.order) ||
      preferences.order.some((slug) => matchesByName(slug, each))) &&
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
    (endpoint.contextLength ?? Infinity) >= tokens &&
    (endpoint.maxPromptTokens ?? Infinity) >= requirements.inputTokens &&
    (endpoint.maxCompletionTokens ?? Infinity) >= requirements.outputTokens &&
    (preferences.require_parameters !== true ||
      (requirements.parameters.every(isTaken) && (each.needsOneOf?.some(isTaken) ?? true))) &&
    (pin === undefined || endpoint.id === pin)
  )
}

/** The time of the next attempt; now, unless its breaker is open or it backs off. */
const waitUntil = ({ id }: Candidate, { health }: PlanInput): number => {
  const breaker = health.endpoints[id]?.breaker
  if (breaker?.state === "open") return Math.max(now, breaker.nextProbeAt)
  return breaker?.state === "backing_off" ? Math.max(now, breaker.until) : now
}

/**
 * Whether a percentile misses its cut-off. All numbers of a scenario are whole, or a whole number
 * of milliseconds.
 */
const isMissed = (
  stated: Preferences["preferred_max_latency"],
  miss: (name: "p50" | "p75" | "p90" | "p99", cutoff: number) => boolean
): boolean => {
  if (stated == null) return false
  if (typeof stated === "number") return miss("p50", stated)
  return (["p50", "p75", "p90", "p99"] as const).some((name) => {
    const cutoff = stated[name]
    return cutoff != null && miss(name, cutoff)
  })
}

interface Demoted {
  readonly rules: ReadonlyArray<Demotion>
  readonly level: number
}

/**
 * The reasons to demote a candidate, and its penalty. The draw of a ramp is taken from the plan.
 */
const demotionOf = (
  each: Candidate,
  input: PlanInput,
  isRamping: boolean,
  byCondition: boolean
): Demoted => {
  const report = input.health.endpoints[each.id]
  if (report === undefined) return { rules: [], level: 0 }
  const { preferred_max_latency, preferred_min_throughput } = input.preferences
  const { latency, outage, samples, throughput, throughputSamples, uptime } = report
  const up = uptime.m5 ?? uptime.m30 ?? uptime.d1 ?? 100
  const isSlow =
    samples >= 10 &&
    isMissed(preferred_max_latency, (name, seconds) => latency![name] > Math.round(seconds * 1_000))
  const isMeagre =
    throughputSamples >= 10 &&
    isMissed(preferred_min_throughput, (name, least) => throughput![name] < least)
  const isOut = byCondition && outage !== undefined
  const isLow = byCondition && up < 95
  const isDown = isOut || (byCondition && up < 80)
  return {
    rules: [
      ...(isOut ? (["outage"] as const) : []),
      ...(isLow ? (["uptime"] as const) : []),
      ...(isRamping ? (["ramp"] as const) : []),
      ...(isSlow ? (["preferred_max_latency"] as const) : []),
      ...(isMeagre ? (["preferred_min_throughput"] as const) : [])
    ],
    level: (isDown ? 4 : isLow || isRamping ? 2 : 0) + (isSlow || isMeagre ? 1 : 0)
  }
}

const rulesOf = ({ demoted }: Plan) =>
  new Map(
    demoted.map(({ candidate, reasons }) => [
      candidate.id,
      Array.from(new Set(reasons.map(({ rule }) => rule)))
    ])
  )

/** The rank of each candidate of a group. */
const levelsOf = (
  group: ReadonlyArray<Candidate>,
  input: PlanInput,
  plan: Plan,
  byCondition: boolean
): ReadonlyArray<number> => {
  const rules = rulesOf(plan)
  return group.map(
    (each) =>
      demotionOf(each, input, rules.get(each.id)?.includes("ramp") === true, byCondition).level
  )
}

const middleOf = (values: ReadonlyArray<number>): number | undefined => {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

const shown = {
  latency: (report: EndpointReport) => [report.latency?.p50, report.samples],
  throughput: (report: EndpointReport) => [report.throughput?.p50, report.throughputSamples],
  exacto: ({ answers: { invalid, valid } }: EndpointReport) => [
    valid + invalid === 0 ? undefined : valid / (valid + invalid),
    valid + invalid
  ]
} as const

/** The value that a sort uses for each candidate of a group, smaller first. */
const keysOf = (
  group: ReadonlyArray<Candidate>,
  { health }: PlanInput,
  sort: ProviderSort | undefined
): ReadonlyArray<number> => {
  if (sort === undefined || sort === "price") return group.map(() => 0)
  const own = (each: Candidate) => {
    const report = health.endpoints[each.id]
    return report === undefined ? [undefined, 0] : shown[sort](report)
  }
  return group.map((each) => {
    const peers = middleOf(
      group
        .filter(({ endpoint }) => endpoint.model === each.endpoint.model)
        .map(own)
        .flatMap(([value, samples = 0]) => (value === undefined || samples < 10 ? [] : [value]))
    )
    const [value = peers, samples = 0] = own(each)
    if (value === undefined) return Infinity
    const weight = Math.min(1, samples / 10)
    const expected = peers === undefined ? value : value * weight + peers * (1 - weight)
    return sort === "latency" ? expected : -expected
  })
}

const placesOf = (group: ReadonlyArray<Candidate>, { preferences: { order } }: PlanInput) =>
  group.map((each) => {
    const index = (order ?? []).findIndex((slug) => matchesByName(slug, each))
    return index < 0 ? (order ?? []).length : index
  })

/** Checks that the rows ascend, compared by their first different number; 1e-9 counts as equal. */
const assertAscending = (rows: ReadonlyArray<ReadonlyArray<number>>): void => {
  for (let at = 1; at < rows.length; at++) {
    const before = rows[at - 1]!
    const after = rows[at]!
    const decides = before.findIndex((value, index) => !isClose(value, after[index]!))
    if (decides < 0) continue
    assert.isBelow(before[decides]!, after[decides]!, `${decides} of ${JSON.stringify(rows)}`)
  }
}
const isClose = (a: number, b: number): boolean => a === b || Math.abs(a - b) < 1e-9

describe("plan, for any request and any health,", () => {
  it("lists every candidate exactly once, as ordered or as rejected", () => {
    fc.assert(
      fc.property(scenario, (input) => {
        const planned = plan(input)
        const all = listCandidateIds(planned)
        assert.deepStrictEqual(all.toSorted(), ids(input.candidates).toSorted())
        for (const { reasons } of planned.rejected) assert.isAbove(reasons.length, 0)
      }),
      runs
    )
  })

  it("also does so for the arbitrary numbers of a replayed snapshot", () => {
    fc.assert(
      fc.property(extremeScenario, (input) => {
        assert.deepStrictEqual(
          listCandidateIds(plan(input)).toSorted(),
          ids(input.candidates).toSorted()
        )
      }),
      runs
    )
  })

  it("orders exactly the eligible candidates that are available, or the next one to be", () => {
    fc.assert(
      fc.property(
        scenario.filter((input) => !isBestOnly(input)),
        (input) => {
          const eligible = input.candidates.filter((each) => isEligible(each, input))
          const due = eligible.filter((each) => waitUntil(each, input) === now)
          const soonest = Math.min(...eligible.map((each) => waitUntil(each, input)))
          const { lastResort, ordered } = plan(input)
          if (due.length > 0 || eligible.length === 0) {
            assert.deepStrictEqual(ids(ordered).toSorted(), ids(due).toSorted())
            assert.isUndefined(lastResort)
          } else {
            assert.deepStrictEqual(ids(ordered), [lastResort?.id])
            assert.include(ids(eligible), ordered[0]!.id)
            assert.strictEqual(waitUntil(ordered[0]!, input), soonest)
          }
        }
      ),
      runs
    )
  })

  it("is never empty because of health alone", () => {
    fc.assert(
      fc.property(scenario, (input) => {
        assert.strictEqual(
          plan(input).ordered.length > 0,
          plan({ ...input, health: unmeasured }).ordered.length > 0
        )
      }),
      runs
    )
  })

  it("never gains a candidate by a restriction, other than a last resort", () => {
    const narrowed = fc.record({
      more: restriction,
      above: fc.option(constraint),
      pin: fc.nat(20)
    })
    fc.assert(
      fc.property(
        scenario.filter((input) => !isBestOnly(input)),
        narrowed,
        (input, { above, more, pin }) => {
          const { candidates, constraints, preferences } = input
          const pinned = input.pin ?? candidates[pin]?.id
          const restricted = {
            ...input,
            // Existing restrictions stay, and the new one is added.
            preferences: { ...more, ...preferences },
            constraints: above === null ? constraints : [...constraints, above],
            ...(pinned === undefined ? undefined : { pin: pinned })
          }
          const before = ids(plan(input).ordered)
          const { lastResort, ordered } = plan(restricted)
          // Naming a service tier admits it, even if the list omits other parameters. The only remaining candidate is
          // tried even if its breaker is open.
          const gained = ordered.filter(
            ({ endpoint, id }) =>
              endpoint.tier === "default" && id !== lastResort?.id && !before.includes(id)
          )
          assert.deepStrictEqual(gained, [])
        }
      ),
      runs
    )
  })

  it("is deterministic for a seed and a snapshot, also as JSON, and changes no input", () => {
    fc.assert(
      // Deeply frozen, so that a plan that changes its input fails.
      fc.property(scenario, (input) => {
        const first = plan(input)
        assert.deepStrictEqual(plan(input), first)
        const health = JSON.parse(JSON.stringify(input.health))
        assert.deepStrictEqual(plan({ ...input, health }), first)
      }),
      runs
    )
  })

  it("demotes a candidate for exactly what the snapshot says", () => {
    fc.assert(
      fc.property(scenario, (input) => {
        const planned = plan(input)
        const rules = rulesOf(planned)
        assert.lengthOf(planned.demoted, rules.size)
        assert.includeMembers(ids(planned.ordered), Array.from(rules.keys()))
        for (const { group, variant } of groupsOf(input, planned)) {
          const byCondition = !isOrdered(input) && sortOf(input, variant) === undefined
          for (const each of group) {
            const found = rules.get(each.id) ?? []
            const ramps = found.includes("ramp")
            assert.deepStrictEqual(found, demotionOf(each, input, ramps, byCondition).rules)
            const breaker = input.health.endpoints[each.id]?.breaker
            const share = breaker?.state === "ramping" ? breaker.share : 1
            assert.isFalse(ramps && share === 1)
            assert.isFalse(!ramps && share === 0)
          }
        }
      }),
      runs
    )
  })

  it("never puts a demoted candidate before another of its model that is not", () => {
    fc.assert(
      fc.property(scenario, (input) => {
        const planned = plan(input)
        const demoted = rulesOf(planned)
        for (const { group } of groupsOf(input, planned)) {
          const first = group.findIndex(({ id }) => demoted.has(id))
          if (first < 0) continue
          for (const { id } of group.slice(first)) assert.isTrue(demoted.has(id))
        }
      }),
      runs
    )
  })

  it("ranks by penalty, `order`, `sort` and price; only the first may be drawn", () => {
    fc.assert(
      fc.property(scenario.map(allowing), (input) => {
        const planned = plan(input)
        for (const { group, variant } of groupsOf(input, planned)) {
          const sort = sortOf(input, variant)
          const isDrawn = !isOrdered(input) && sort === undefined
          const levels = levelsOf(group, input, planned, isDrawn)
          const keys = keysOf(group, input, sort)
          const places = placesOf(group, input)
          const rows = group.map((each, at) => [
            levels[at]!,
            places[at]!,
            keys[at]!,
            estimateCost(each, input.requirements)
          ])
          if (sort !== undefined && sort !== "price") {
            // Keys that are equal by hand may differ by a rounding error, so their price proves
            // nothing.
            for (const row of rows) row.pop()
          }
          assertAscending(isDrawn ? rows.slice(1) : rows)
          // A drawn candidate has the lowest penalty.
          assert.isTrue(levels.every((level) => levels[0]! <= level))
        }
      }),
      runs
    )
  })

  it("reports what ordered the candidates", () => {
    fc.assert(
      fc.property(scenario, (input) => {
        const sort = sortOf(input, input.models[0].variant)
        assert.strictEqual(
          plan(input).strategy,
          isOrdered(input) ? "order" : sort === undefined ? input.strategy.name : `sort:${sort}`
        )
      }),
      runs
    )
  })

  it("demotes candidates that miss a cut-off behind those of all models, without rejecting them", () => {
    fc.assert(
      fc.property(scenario.map(allowing), threshold, (input, stated) => {
        const base = withPreferences(input, {
          preferred_max_latency: null,
          preferred_min_throughput: null
        })
        const planned = plan(withPreferences(base, stated))
        const without = plan(base)
        assert.deepStrictEqual(ids(planned.ordered).toSorted(), ids(without.ordered).toSorted())
        assert.deepStrictEqual(planned.rejected, without.rejected)
        const misses = new Set(
          planned.demoted.flatMap(({ candidate, reasons }) =>
            reasons.some(({ source }) => source === "request") ? [candidate.id] : []
          )
        )
        const flawless = planned.ordered.map(({ id }) => !rulesOf(planned).has(id))
        if (misses.size > 0) assert.notInclude(flawless.slice(flawless.indexOf(false)), true)
        if (misses.size === 0 && input.models.length === 1) {
          assert.deepStrictEqual(planned.ordered, without.ordered)
        }
      }),
      runs
    )
  })

  it("keeps each model's endpoints together, in the order of the models, unless the request has cut-offs", () => {
    fc.assert(
      fc.property(scenario, (input) => {
        const base = withPreferences(input, {
          preferred_max_latency: null,
          preferred_min_throughput: null
        })
        const planned = plan(base)
        if (isAcrossModels(base)) return
        assert.deepStrictEqual(
          planned.ordered,
          groupsOf(base, planned).flatMap(({ group }) => group)
        )
      }),
      runs
    )
  })

  it("tries only the best candidate, or the listed ones, when fallbacks are off", () => {
    fc.assert(
      fc.property(scenario, (input) => {
        const free = plan(allowing(input))
        const { lastResort, ordered } = plan(withPreferences(input, { allow_fallbacks: false }))
        const { order } = input.preferences
        if (!isListing(order)) {
          assert.deepStrictEqual(ordered, free.ordered.slice(0, 1))
          return
        }
        const listed = free.ordered.filter((each) =>
          order.some((slug) => matchesByName(slug, each))
        )
        if (listed.length > 0 || lastResort === undefined) {
          assert.deepStrictEqual(ids(ordered).toSorted(), ids(listed).toSorted())
        } else {
          assert.deepStrictEqual(ordered, [lastResort])
          assert.isTrue(order.some((slug) => matchesByName(slug, lastResort)))
        }
      }),
      runs
    )
  })
})
