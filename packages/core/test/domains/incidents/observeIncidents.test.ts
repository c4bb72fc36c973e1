import { assert, describe, it } from "vitest"
import type { Incident } from "../../../src/domains/incidents/Incident.ts"
import {
  type FailingEndpoint,
  observeIncidents
} from "../../../src/domains/incidents/observeIncidents.ts"

const noon = Date.UTC(2026, 10, 30, 12)
const at = (seconds: number): number => noon + seconds * 1_000
const iso = (seconds: number): string => new Date(at(seconds)).toISOString()

const fail = (id: string, since: number, cause?: string): FailingEndpoint => ({
  id,
  model: "acme/model",
  since: at(since),
  cause
})
const open = (id: string, since: number): FailingEndpoint => fail(id, since, "10 of 10 failed")

/** What the processes saw, one after the other: seconds, process, failing endpoints. */
type Seen = readonly [seconds: number, process: string, ...failing: ReadonlyArray<FailingEndpoint>]

const merge = (...all: ReadonlyArray<Seen>): ReadonlyArray<Incident> => {
  const stored = new Map<string, Incident>()
  for (const [index, [seconds, process, ...failing]] of all.entries()) {
    const changed = observeIncidents(Array.from(stored.values()), {
      provider: "driftwood",
      process,
      at: at(seconds),
      failing,
      newId: `incident-${index}`
    })
    for (const incident of changed) stored.set(incident.id, incident)
  }
  return Array.from(stored.values())
}

const summarize = (incidents: ReadonlyArray<Incident>) =>
  incidents.map(({ ended_at, endpoints, started_at }) => ({
    started_at,
    ended_at,
    endpoints: endpoints.map(({ endpoint_id }) => endpoint_id)
  }))

describe("observeIncidents", () => {
  it("begins with the breaker, not with the look, and ends when it is closed", () => {
    assert.deepStrictEqual(merge([4, "p", open("a", 0)], [9, "p", open("a", 0)], [40, "p"]), [
      {
        id: "incident-0",
        provider: "driftwood",
        started_at: iso(0),
        ended_at: iso(40),
        seen_at: iso(40),
        endpoints: [
          {
            endpoint_id: "a",
            model: "acme/model",
            started_at: iso(0),
            ended_at: iso(40),
            cause: "10 of 10 failed",
            processes: []
          }
        ],
        impact: null
      }
    ])
  })

  it("joins what several processes see, until the last of them sees no failure", () => {
    const seen: ReadonlyArray<Seen> = [
      [4, "p", open("a", 2)],
      [5, "q", open("a", 0)],
      [30, "p"]
    ]
    const lasting = { started_at: iso(0), ended_at: null, endpoints: ["a"] }
    assert.deepStrictEqual(summarize(merge(...seen)), [lasting])
    assert.deepStrictEqual(summarize(merge(...seen, [50, "q"])), [
      { ...lasting, ended_at: iso(50) }
    ])
  })

  it("ends when a process was last seen that is gone", () => {
    const seen: ReadonlyArray<Seen> = [
      [0, "gone", open("a", 0)],
      [50, "p", open("b", 50)],
      [100, "p"]
    ]
    const [incident] = merge(...seen)
    assert.strictEqual(incident?.ended_at, iso(100))
    assert.strictEqual(incident?.endpoints[0]?.ended_at, iso(0))
  })

  it("keeps an endpoint that ramps, but begins nothing with one", () => {
    assert.deepStrictEqual(merge([0, "p", fail("a", 0)]), [])
    assert.deepStrictEqual(summarize(merge([0, "p", open("a", 0)], [20, "p", fail("a", 20)])), [
      { started_at: iso(0), ended_at: null, endpoints: ["a"] }
    ])
  })

  it("goes on when an endpoint fails again soon after", () => {
    assert.deepStrictEqual(
      summarize(merge([0, "p", open("a", 0)], [60, "p"], [200, "p", open("a", 199)])),
      [{ started_at: iso(0), ended_at: null, endpoints: ["a"] }]
    )
    assert.deepStrictEqual(
      summarize(merge([0, "p", open("a", 0)], [60, "p"], [400, "p", open("a", 399)])).length,
      2
    )
  })

  it("tells an outage from an endpoint that has failed for long", () => {
    const chronic = open("chronic", 0)
    const incidents = merge(
      [0, "p", chronic],
      [3_600, "p", chronic, open("a", 3_600)],
      [3_610, "p", chronic, open("a", 3_600), open("b", 3_609)]
    )
    assert.deepStrictEqual(summarize(incidents), [
      { started_at: iso(0), ended_at: null, endpoints: ["chronic"] },
      { started_at: iso(3_600), ended_at: null, endpoints: ["a", "b"] }
    ])
  })

  it("changes nothing when nothing is new", () => {
    const [incident] = merge([0, "p", open("a", 0)], [10, "p"])
    const observation = { provider: "driftwood", process: "p", at: at(20), newId: "x" }
    assert.deepStrictEqual(observeIncidents([incident!], { ...observation, failing: [] }), [])
  })
})
