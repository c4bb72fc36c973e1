import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import {
  type ByokExclusions,
  findByokExclusions
} from "../../../src/routing/restrictions/Constraint.ts"
import { type Candidate, isByok, withCredential } from "../../../src/routing/Candidate.ts"
import { plan, type PlanInput } from "../../../src/routing/plan/plan.ts"
import { ab, ac, makePlan } from "./makePlan.ts"
import { makeCandidate } from "../makeCandidate.ts"
import { makeReport, makeSnapshot } from "../makeReport.ts"
import { scenario } from "./planScenarios.ts"
import { type UsableConfig, makeUsable } from "../makeUsable.ts"

const runs = { numRuns: scaleRuns(2_000) }

const anyCredential: fc.Arbitrary<Omit<UsableConfig, "id">> = fc
  .record({
    provider: fc.constantFrom("one", "two", "three"),
    models: fc.constantFrom<ReadonlyArray<string>>([ab, ac], [ab], [ac]),
    sort_order: fc.nat(3),
    is_fallback: fc.boolean(),
    is_required: fc.boolean(),
    is_byok_only: fc.boolean(),
    declared_zdr: fc.constantFrom(null, true, false)
  })
  .map((each) => ({ ...each, is_byok_only: each.is_byok_only && !each.is_fallback }))

interface Situation extends PlanInput {
  readonly brought: ReadonlyArray<UsableConfig>
}

/** Any request, with candidates for the credentials that cover them. */
const withBrought = (input: PlanInput, brought: ReadonlyArray<UsableConfig>): Situation => {
  const byokExclusions: ByokExclusions | undefined = findByokExclusions(brought.map(makeUsable))
  return {
    ...input,
    brought,
    candidates: input.candidates.flatMap((shared) => [
      shared,
      ...brought
        .filter(
          ({ models, provider }) =>
            provider === shared.endpoint.provider && models.includes(shared.endpoint.model)
        )
        .map(({ declared_zdr = null, id, is_fallback = false, sort_order = 0 }) =>
          withCredential(shared, {
            id,
            isFallback: is_fallback,
            sortOrder: sort_order,
            declaredZdr: declared_zdr
          })
        )
    ]),
    ...(byokExclusions === undefined ? undefined : { byokExclusions })
  }
}

const situation = fc
  .tuple(scenario, fc.array(anyCredential, { minLength: 1, maxLength: 4 }))
  .map(([input, brought]) =>
    withBrought(
      input,
      brought.map((each, i) => ({ ...each, id: `key-${i}` }))
    )
  )

const turnOf = ({ credential }: Candidate) =>
  credential === undefined ? 0 : credential.isFallback ? 1 : -1

const ids = (list: ReadonlyArray<Candidate>) => list.map(({ id }) => id).toSorted()

const isAcross = ({ preferences: { sort } }: PlanInput) =>
  typeof sort === "object" && sort?.partition === "none"

/** The candidates of a plan by group: one for each model, or one for all. */
const groupsOf = (input: PlanInput) => {
  const { ordered } = plan(input)
  return isAcross(input)
    ? [ordered]
    : [ab, ac].map((model) => ordered.filter(({ endpoint }) => endpoint.model === model))
}

describe("plan, with any credentials of the customer's own,", () => {
  it("tries prioritised ones first, then shared capacity, then fallbacks", () => {
    fc.assert(
      fc.property(situation, (input) => {
        for (const group of groupsOf(input)) {
          const turns = group.map(turnOf)
          assert.deepStrictEqual(
            turns,
            turns.toSorted((a, b) => a - b)
          )
        }
      }),
      runs
    )
  })

  it("tries each kind by its sort order", () => {
    fc.assert(
      fc.property(situation, (input) => {
        for (const group of groupsOf(input)) {
          for (const turn of [-1, 1]) {
            const places = group.flatMap((each) =>
              each.credential !== undefined && turnOf(each) === turn
                ? each.credential.sortOrder
                : []
            )
            assert.deepStrictEqual(
              places,
              places.toSorted((a, b) => a - b)
            )
          }
        }
      }),
      runs
    )
  })

  it("lists every candidate once, as ordered or, with a reason, as rejected", () => {
    fc.assert(
      fc.property(situation, (input) => {
        const { ordered, rejected } = plan(input)
        const all = [...ordered, ...rejected.map(({ candidate }) => candidate)]
        assert.deepStrictEqual(ids(all), ids(input.candidates))
        for (const { reasons } of rejected) assert.isNotEmpty(reasons)
      }),
      runs
    )
  })

  it("never tries shared capacity of a BYOK-only provider", () => {
    fc.assert(
      fc.property(situation, (input) => {
        const { ordered, rejected } = plan(input)
        const isBarred = ({ endpoint }: Candidate) =>
          input.brought.some(
            ({ is_byok_only, provider }) => is_byok_only && provider === endpoint.provider
          )
        for (const each of ordered) assert.isTrue(isByok(each) || !isBarred(each))
        for (const { candidate, reasons } of rejected) {
          assert.strictEqual(
            reasons.some(({ rule }) => rule === "byok_only"),
            !isByok(candidate) && isBarred(candidate)
          )
        }
      }),
      runs
    )
  })

  it("never tries shared capacity for a model that requires a credential, and excludes no other", () => {
    fc.assert(
      fc.property(situation, (input) => {
        const { ordered, rejected } = plan(input)
        const isBarred = ({ endpoint }: Candidate) =>
          input.brought.some(
            ({ is_required, models, provider }) =>
              is_required && provider === endpoint.provider && models.includes(endpoint.model)
          )
        for (const each of ordered) assert.isTrue(isByok(each) || !isBarred(each))
        for (const { candidate, reasons } of rejected) {
          assert.strictEqual(
            reasons.some(({ rule }) => rule === "byok_required"),
            !isByok(candidate) && isBarred(candidate)
          )
        }
      }),
      runs
    )
  })

  it("applies data rules to credentials too, except for the retention that the owner declares", () => {
    fc.assert(
      fc.property(situation, (input) => {
        const asked = [input.preferences, ...input.constraints]
        const isZdr = asked.some(({ zdr }) => zdr === true)
        const isDenied =
          input.preferences.data_collection === "deny" ||
          input.constraints.some(({ denyDataCollection }) => denyDataCollection === true)
        const offenders = plan(input).ordered.filter(
          ({ credential, endpoint: { data, zdr } }) =>
            (isZdr && !(credential?.declaredZdr ?? zdr)) ||
            (isDenied && (data.collects || data.trains))
        )
        assert.deepStrictEqual(offenders, [])
      }),
      runs
    )
  })

  it("is deterministic", () => {
    fc.assert(
      fc.property(situation, (input) => {
        assert.deepStrictEqual(plan(input), plan(input))
      }),
      { numRuns: scaleRuns(300) }
    )
  })
})

const names = (candidates: ReadonlyArray<Candidate>) =>
  candidates.map(({ credential, endpoint }) =>
    credential === undefined ? endpoint.tag : `${endpoint.tag}(${credential.id})`
  )
const [bedrock, vertex] = [
  makeCandidate({ provider: "bedrock" }),
  makeCandidate({ provider: "vertex" })
]
const copy = (shared: Candidate, id: string, rest: Partial<Candidate["credential"]> = {}) =>
  withCredential(shared, { id, isFallback: false, sortOrder: 0, declaredZdr: null, ...rest })

describe("plan, with credentials of the customer's own,", () => {
  it("tries them first, for any order of shared capacity", () => {
    const own = copy(vertex, "key")
    const { ordered } = makePlan([bedrock, vertex, own], { order: ["bedrock", "vertex"] })
    assert.deepStrictEqual(names(ordered), ["vertex(key)", "bedrock", "vertex"])
  })

  it("orders credentials of one priority by order", () => {
    const own = [copy(bedrock, "b"), copy(vertex, "v")]
    const { ordered } = makePlan([bedrock, vertex, ...own], { order: ["vertex", "bedrock"] })
    assert.deepStrictEqual(names(ordered), ["vertex(v)", "bedrock(b)", "vertex", "bedrock"])
  })

  it("tries only the first credential without fallbacks", () => {
    const { ordered, rejected } = makePlan([bedrock, vertex, copy(vertex, "key")], {
      allow_fallbacks: false
    })
    assert.deepStrictEqual(names(ordered), ["vertex(key)"])
    assert.strictEqual(rejected.length, 2)
  })

  it("keeps their priority within each model, or across models that are ranked together", () => {
    const other = makeCandidate({ provider: "vertex", of: ac })
    const all = [bedrock, other, copy(other, "key"), copy(bedrock, "last", { isFallback: true })]
    const models = { models: [{ id: ab }, { id: ac }] } as const
    assert.deepStrictEqual(names(makePlan(all, {}, models).ordered), [
      "bedrock",
      "bedrock(last)",
      "vertex(key)",
      "vertex"
    ])
    const { ordered } = makePlan(all, { sort: { by: "price", partition: "none" } }, models)
    assert.deepStrictEqual(names(ordered).at(0), "vertex(key)")
    assert.deepStrictEqual(names(ordered).at(-1), "bedrock(last)")
  })

  it("blocks a rate-limited credential, but neither its endpoint nor other credentials", () => {
    const [one, two] = [copy(vertex, "one"), copy(vertex, "two", { sortOrder: 1 })]
    const breaker = { state: "backing_off", since: 0, cause: "limited", until: 2_000_000 } as const
    const health = (id: string) => ({ health: makeSnapshot({ [id]: makeReport({ breaker }) }) })
    const all = [vertex, one, two]
    assert.deepStrictEqual(names(makePlan(all, {}, health(one.id)).ordered), [
      "vertex(two)",
      "vertex"
    ])
    assert.deepStrictEqual(names(makePlan(all, {}, health(vertex.id)).ordered), [
      "vertex(one)",
      "vertex(two)"
    ])
  })

  it("blocks the credentials of an endpoint that is down, unless the host's own credential is refused", () => {
    const breaker = {
      state: "open",
      since: 0,
      cause: "10 of 10 failed",
      nextProbeAt: 2_000_000
    } as const
    const orderOf = (errors: Readonly<Record<string, number>>) =>
      names(
        makePlan(
          [bedrock, vertex, copy(vertex, "key")],
          {},
          { health: makeSnapshot({ [vertex.id]: makeReport({ breaker, errors }) }) }
        ).ordered
      )
    assert.deepStrictEqual(orderOf({ timeout: 10 }), ["bedrock"])
    assert.deepStrictEqual(orderOf({ credential_refused: 10 }), ["vertex(key)", "bedrock"])
  })

  it("ignores the budget for what the customer pays", () => {
    const unpriced = makeCandidate({ provider: "vertex", price: {} })
    const { ordered } = makePlan(
      [unpriced, copy(unpriced, "key")],
      {},
      { constraints: [{ source: "account", budgeted: true }] }
    )
    assert.deepStrictEqual(names(ordered), ["vertex(key)"])
  })
})
