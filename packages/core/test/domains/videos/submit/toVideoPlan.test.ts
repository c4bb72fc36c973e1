import { assert, describe, it } from "vitest"
import { type Candidate, withCredential } from "../../../../src/routing/Candidate.ts"
import type { PlannedRoute } from "../../../../src/routing/RouteQuery.ts"
import type { Demotion, Exclusion } from "../../../../src/routing/Reason.ts"
import { toVideoPlan } from "../../../../src/domains/videos/submit/toVideoPlan.ts"
import { makeCandidate } from "../../../routing/makeCandidate.ts"

const planned = (
  rejected: ReadonlyArray<readonly [Candidate, Exclusion]>,
  demoted: ReadonlyArray<readonly [Candidate, Demotion]>
): PlannedRoute => ({
  plan: {
    ordered: [],
    strategy: "order",
    rejected: rejected.map(([candidate, rule]) => ({
      candidate,
      reasons: [{ rule, source: "request", wanted: "w".repeat(1_000), found: "f" }]
    })),
    demoted: demoted.map(([candidate, rule]) => ({
      candidate,
      reasons: [{ rule, source: "health", wanted: "w", found: "f" }]
    }))
  },
  models: ["a/b"],
  configuration: 7,
  seed: 1,
  health: { at: 0, endpoints: {} },
  limits: [],
  constraints: [],
  requirements: { parameters: [], inputTokens: 0, outputTokens: 0 }
})

const own = { id: "c-1", isFallback: false, sortOrder: 0, declaredZdr: null }
const [one, two] = [makeCandidate({ provider: "one" }), makeCandidate({ provider: "two" })]
const ownTwo = withCredential(two, own)

const summarize = (reasons: ReturnType<typeof toVideoPlan>["rejected"]) =>
  reasons.map(({ credential, endpoint, rule }) => [endpoint, credential, rule])

describe("toVideoPlan", () => {
  it("keeps the reasons of the first plan for candidates that the second leaves out", () => {
    const first = toVideoPlan(
      planned(
        [
          [one, "ignore"],
          [ownTwo, "breaker"]
        ],
        [[two, "outage"]]
      )
    )
    const among = new Set([two.id, ownTwo.id])
    const second = toVideoPlan(planned([[two, "rate_limited"]], [[ownTwo, "uptime"]]), {
      plan: first,
      among
    })
    assert.deepStrictEqual(summarize(second.rejected), [
      [one.endpoint.id, undefined, "ignore"],
      [two.endpoint.id, undefined, "rate_limited"]
    ])
    assert.deepStrictEqual(summarize(second.demoted), [[two.endpoint.id, "c-1", "uptime"]])
    assert.deepStrictEqual([second.configuration, second.strategy], [7, "order"])
  })

  it("truncates reasons like a record", () => {
    const [reason] = toVideoPlan(planned([[one, "ignore"]], [])).rejected
    assert.strictEqual(reason?.wanted.length, 512)
  })

  it("has the bounds of the latest plan, and no field where there are none", () => {
    const first = toVideoPlan({
      ...planned([], []),
      constraints: [{ source: "account", zdr: true }]
    })
    assert.deepStrictEqual(first.constraints, [{ source: "account", rules: ["zdr"] }])
    assert.isFalse(Object.hasOwn(first, "limits"))
    const second = toVideoPlan(planned([], []), { plan: first, among: new Set() })
    assert.isFalse(Object.hasOwn(second, "constraints"))
  })
})
