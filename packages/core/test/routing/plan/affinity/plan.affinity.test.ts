/** How plans place, keep and move conversations. */
import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../../vitest.scope.ts"
import { type Candidate, isByok, withCredential } from "../../../../src/routing/Candidate.ts"
import type { Affinity } from "../../../../src/routing/plan/affinity/Affinity.ts"
import { plan, type PlanInput } from "../../../../src/routing/plan/plan.ts"
import type { Preferences } from "../../../../src/routing/Preferences.ts"
import { priceWeighted } from "../../../../src/routing/plan/strategies/strategies.ts"
import { makeCandidate, makePricedCandidate } from "../../makeCandidate.ts"
import { downReport, makeMeasuredReport, makeReport, makeSnapshot } from "../../makeReport.ts"
import { ab, ac, cheapest, makePlan, toTags } from "../makePlan.ts"
import { scenario } from "../planScenarios.ts"

const key = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const three = ["one", "two", "three"].map((provider) => makePricedCandidate(provider, 1))

const planConversation = (
  affinity: Partial<Affinity>,
  preferences: Preferences = {},
  rest: Partial<PlanInput> = {},
  candidates: ReadonlyArray<Candidate> = three
) =>
  makePlan(candidates, preferences, {
    strategy: priceWeighted,
    affinity: { by: "opener", key: 1, ...affinity },
    ...rest
  })

/** The plan of key 1 without a pin, and the tags in the order of its race. */
const placed = planConversation({})
const [home, second, third] = [0, 1, 2].map(
  (shift) => planConversation({ shift }).ordered[0]!.endpoint.tag
) as [string, string, string]

const openBreaker = makeReport({
  breaker: { state: "open", since: 0, cause: "12 of 20 failed in 60 s", nextProbeAt: 2_000_000 }
})

const isRamping = ({ health }: Pick<PlanInput, "health">): boolean =>
  Object.values(health.endpoints).some(({ breaker }) => breaker.state === "ramping")

describe("a plan of a conversation", () => {
  it("places it by its key, for any seed", () => {
    for (let seed = 0; seed < 50; seed++) {
      assert.deepStrictEqual(planConversation({}, {}, { seed }), placed)
    }
    assert.deepStrictEqual(placed.affinity, { did: "placed", home: `a/b@${home}` })
    assert.strictEqual(placed.strategy, "price-weighted")
    const firsts = Array.from({ length: 50 }, (_, key) => toTags(planConversation({ key }).ordered))
    assert.strictEqual(new Set(firsts.map(([first]) => first)).size, 3)
  })

  it("keeps it where its last success was", () => {
    const kept = planConversation({ pinned: `a/b@${third}` })
    assert.strictEqual(toTags(kept.ordered)[0], third)
    assert.deepStrictEqual(kept.affinity, { did: "kept", home: `a/b@${home}` })
  })

  it("falls back to where it would go without its home", () => {
    for (let key = 0; key < 50; key++) {
      const [first, next] = toTags(planConversation({ key }).ordered)
      const without = planConversation(
        { key },
        {},
        { health: makeSnapshot({ [first!]: downReport }) }
      )
      assert.strictEqual(toTags(without.ordered)[0], next)
    }
  })

  it("returns home as soon as that is available, where other processes send it", () => {
    const returning = { pinned: `a/b@${third}`, returns: true } as const
    const back = planConversation(returning)
    assert.strictEqual(toTags(back.ordered)[0], home)
    assert.deepStrictEqual(back.affinity, { did: "placed", home: `a/b@${home}` })
    for (const report of [openBreaker, downReport]) {
      const away = planConversation(returning, {}, { health: makeSnapshot({ [home]: report }) })
      assert.strictEqual(toTags(away.ordered)[0], third)
      assert.deepStrictEqual(away.affinity, { did: "kept", home: `a/b@${home}` })
    }
  })

  it("comes back once while a breaker closes", () => {
    for (let key = 0; key < 50; key++) {
      const firsts = [0.1, 0.3, 0.5, 0.7, 0.9, 1].map((share, seed) => {
        const ramping = makeReport({ breaker: { state: "ramping", since: 0, share } })
        const [before] = toTags(planConversation({ key }).ordered)
        const health = makeSnapshot({ [before!]: ramping })
        return toTags(planConversation({ key }, {}, { health, seed }).ordered)[0] === before
      })
      assert.isTrue(firsts.at(-1))
      // Once a conversation has come back, it stays.
      assert.isTrue(firsts.every((is, at) => is || !firsts.slice(0, at).includes(true)))
    }
  })

  it("goes on without a pin that is blocked, demoted, rejected or unknown", () => {
    const pinned = `a/b@${third}`
    const situations: ReadonlyArray<[Preferences, Partial<PlanInput>]> = [
      [{}, { health: makeSnapshot({ [third]: openBreaker }) }],
      [{}, { health: makeSnapshot({ [third]: downReport }) }],
      [{ ignore: [third] }, {}],
      [
        { preferred_max_latency: 1 },
        { health: makeSnapshot({ [third]: makeMeasuredReport({ latency: 5_000 }) }) }
      ]
    ]
    for (const [preferences, rest] of situations) {
      const moved = planConversation({ pinned }, preferences, rest)
      assert.strictEqual(toTags(moved.ordered)[0], home)
      assert.strictEqual(moved.affinity?.did, "moved")
    }
    assert.strictEqual(planConversation({ pinned: "a/b@gone" }).affinity?.did, "moved")
  })

  it("does not keep it among candidates that all have a penalty", () => {
    const health = makeSnapshot({ one: downReport, two: downReport, three: downReport })
    const { affinity, ordered } = planConversation({ pinned: `a/b@${third}` }, {}, { health })
    assert.strictEqual(toTags(ordered)[0], home)
    assert.strictEqual(affinity?.did, "moved")
  })

  it("goes to the next of the race while its home is unavailable, and knows its home", () => {
    for (const report of [openBreaker, downReport]) {
      const health = makeSnapshot({ [home]: report })
      const { affinity, ordered } = planConversation({}, {}, { health })
      assert.strictEqual(toTags(ordered)[0], second)
      assert.deepStrictEqual(affinity, { did: "moved", home: `a/b@${home}` })
    }
  })

  it("shifts a hot key by as many places, with any pin", () => {
    const shifted = [0, 1, 2, 3, 4].map((shift) =>
      planConversation({ pinned: `a/b@${home}`, ...(shift === 0 ? undefined : { shift }) })
    )
    assert.deepStrictEqual(
      shifted.map(({ ordered }) => toTags(ordered)[0]),
      [home, second, third, home, second]
    )
    assert.deepStrictEqual(
      shifted.map(({ affinity }) => affinity?.did),
      ["kept", "moved", "moved", "moved", "moved"]
    )
  })

  it("leaves an order alone", () => {
    const order = { order: [third, second] }
    const { affinity, ...rest } = planConversation({ pinned: `a/b@${home}` }, order)
    assert.isUndefined(affinity)
    assert.deepStrictEqual(toTags(rest.ordered), [third, second, home])
  })

  it("keeps it by any sort or strategy, which otherwise place it themselves", () => {
    for (const [preferences, strategy] of [
      [{ sort: "price" }, priceWeighted],
      [{}, cheapest]
    ] as const) {
      const rest = { strategy }
      const first = planConversation({}, preferences, rest)
      assert.strictEqual(toTags(first.ordered)[0], "one")
      assert.deepStrictEqual(first.affinity, { did: "placed" })
      const kept = planConversation({ pinned: "a/b@three" }, preferences, rest)
      assert.deepStrictEqual(toTags(kept.ordered), ["three", "one", "two"])
      assert.deepStrictEqual(kept.affinity, { did: "kept" })
    }
  })

  it("keeps only the pinned endpoint without fallbacks", () => {
    const { ordered } = planConversation({ pinned: `a/b@${third}` }, { allow_fallbacks: false })
    assert.deepStrictEqual(toTags(ordered), [third])
  })

  it("leaves customers' own credentials first, and fallback ones last", () => {
    const [one, two] = three as [Candidate, Candidate]
    const own = { sortOrder: 0, declaredZdr: null }
    const first = withCredential(one, { id: "mine", isFallback: false, ...own })
    const last = withCredential(two, { id: "spare", isFallback: true, ...own })
    const candidates = [...three, first, last]
    for (const pinned of [...three, first, last].map(({ id }) => id)) {
      const { affinity, ordered } = planConversation({ pinned }, {}, {}, candidates)
      assert.deepStrictEqual([ordered[0], ordered.at(-1)], [first, last])
      assert.strictEqual(affinity?.did, "off")
      const shared = ordered.filter((candidate) => !isByok(candidate))
      assert.strictEqual(
        shared[0]!.id,
        shared.some(({ id }) => id === pinned) ? pinned : `a/b@${home}`
      )
    }
  })

  it("keeps the turns of models", () => {
    const others = ["one", "two"].map((provider) => makeCandidate({ of: ac, provider }))
    const models = [{ id: ab }, { id: ac }] as const
    const candidates = [...three, ...others]
    const { affinity, ordered } = planConversation(
      { pinned: "a/c@two" },
      {},
      { models },
      candidates
    )
    assert.deepStrictEqual(
      ordered.map(({ endpoint }) => endpoint.model),
      [ab, ab, ab, ac, ac]
    )
    assert.strictEqual(ordered[3]!.id, "a/c@two")
    assert.strictEqual(ordered[0]!.endpoint.tag, home)
    assert.deepStrictEqual(affinity, { did: "moved", home: `a/b@${home}` })
  })
})

const isBestOnly = ({ preferences: { allow_fallbacks, order } }: PlanInput) =>
  allow_fallbacks === false && (order ?? []).length === 0

const isAcrossModels = ({
  models,
  preferences: { preferred_max_latency, preferred_min_throughput, sort }
}: PlanInput) =>
  models.length === 1 ||
  (typeof sort === "object" && sort?.partition === "none") ||
  // A missed threshold ranks over all models.
  preferred_max_latency != null ||
  preferred_min_throughput != null
/** Whether candidates of one penalty may be raced, which includes the pinned one. */
const isRaced = ({ preferences: { sort } }: PlanInput) =>
  (typeof sort === "string" ? sort : sort?.by) == null

describe("any plan of a conversation", () => {
  const conversation = fc
    .record({ scenario, key, pinned: fc.nat(12), shift: fc.nat(3) })
    .map(({ key, pinned, scenario, shift }) => {
      const id = scenario.candidates[pinned]?.id
      const affinity: Affinity = {
        by: "session_id",
        key,
        ...(id === undefined ? undefined : { pinned: id }),
        ...(shift === 0 ? undefined : { shift })
      }
      // The rank order, which `cheapest` does not change.
      const input: PlanInput = { ...scenario, strategy: priceWeighted }
      return { affinity, input, ranked: plan({ ...input, strategy: cheapest }) }
    })
  const runs = { numRuns: scaleRuns(5_000) }
  it("admits and demotes what it does without, and moves one of equal rank forward", () => {
    fc.assert(
      fc.property(conversation, ({ affinity, input, ranked }) => {
        const made = plan({ ...input, affinity })
        if (isBestOnly(input)) {
          assert.isAtMost(made.ordered.length, 1)
          return
        }
        assert.deepStrictEqual(made.rejected, ranked.rejected)
        assert.sameMembers([...made.ordered], [...ranked.ordered])
        assert.strictEqual(made.lastResort, ranked.lastResort)
        // A conversation is drawn by its key there, not by the seed.
        if (isRamping(input)) return
        const demoted = new Set(ranked.demoted.map(({ candidate }) => candidate))
        let rest = [...ranked.ordered]
        const movedIn: Array<string> = []
        for (const candidate of made.ordered) {
          const at = rest.indexOf(candidate)
          const passed = rest.slice(0, at)
          // The model of a group has one first choice, and a fallback where they race.
          if (passed.length > 0) {
            const { model } = candidate.endpoint
            assert.isBelow(movedIn.filter((each) => each === model).length, isRaced(input) ? 2 : 1)
            movedIn.push(model)
            for (const other of passed) {
              assert.strictEqual(demoted.has(other), demoted.has(candidate))
              if (!isAcrossModels(input)) {
                assert.strictEqual(other.endpoint.model, candidate.endpoint.model)
              }
            }
            if (candidate.id === affinity.pinned && affinity.shift === undefined) {
              assert.isTrue(!demoted.has(candidate) || isRaced(input))
            }
          }
          rest = rest.filter((each) => each !== candidate)
        }
      }),
      runs
    )
  })

  it("is repeated exactly by its inputs, as JSON too", () => {
    fc.assert(
      fc.property(conversation, ({ affinity, input }) => {
        const copy: Affinity = JSON.parse(JSON.stringify(affinity))
        assert.deepStrictEqual(plan({ ...input, affinity: copy }), plan({ ...input, affinity }))
      }),
      runs
    )
  })

  it("changes nothing for a request with an order", () => {
    fc.assert(
      fc.property(conversation, ({ affinity, input }) => {
        fc.pre((input.preferences.order ?? []).length > 0)
        assert.deepStrictEqual(plan({ ...input, affinity }), plan(input))
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("moves only the conversations of an endpoint that is taken away", () => {
    const candidates = [1, 1, 2, 3, 0.5].map((usd, i) => makePricedCandidate(`p${i}`, usd))
    fc.assert(
      fc.property(key, fc.nat(4), (key, gone) => {
        const tag = `p${gone}`
        const first = (preferences: Preferences, rest: Partial<PlanInput> = {}) =>
          toTags(planConversation({ key }, preferences, rest, candidates).ordered)[0]
        const before = first({})
        const others = [
          first({ ignore: [tag] }),
          first({}, { health: makeSnapshot({ [tag]: openBreaker }) }),
          first({}, { health: makeSnapshot({ [tag]: downReport }) })
        ]
        if (before === tag) for (const each of others) assert.notStrictEqual(each, tag)
        else assert.deepStrictEqual(others, [before, before, before])
      }),
      { numRuns: scaleRuns(2_000) }
    )
  })
})
