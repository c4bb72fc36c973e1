import { assert, describe, it } from "vitest"
import {
  type Contender,
  type LeastLatencyOptions,
  leastLatency
} from "../../../../src/routing/plan/strategies/strategies.ts"
import { makePricedCandidate } from "../../makeCandidate.ts"
import { ab, ac, makePlan } from "../makePlan.ts"
import {
  downReport,
  makeFlatPercentiles,
  makeMeasuredReport,
  makeReport,
  makeSnapshot
} from "../../makeReport.ts"

const seeds = 20_000

/**
 * The share of many seeds in which each comes first. Latencies are in milliseconds, undefined for
 * unmeasured.
 */
const firsts = (
  latencies: Readonly<Record<string, number | undefined>>,
  options?: LeastLatencyOptions
): Readonly<Record<string, number>> => {
  const candidates = Object.keys(latencies).map((tag, index) => makePricedCandidate(tag, index + 1))
  const health = makeSnapshot(
    Object.fromEntries(
      Object.entries(latencies).flatMap(([tag, latency]) =>
        latency === undefined ? [] : [[tag, makeMeasuredReport({ latency })]]
      )
    )
  )
  const strategy = leastLatency(options)
  const counts = Object.fromEntries(candidates.map(({ endpoint }) => [endpoint.tag, 0]))
  for (let seed = 0; seed < seeds; seed++) {
    const { ordered } = makePlan(candidates, {}, { health, seed, strategy })
    counts[ordered[0]!.endpoint.tag]! += 1
  }
  return Object.fromEntries(Object.entries(counts).map(([tag, count]) => [tag, count / seeds]))
}

/** Six deviations of a share. The seeds are fixed, so the result is always the same. */
const noise = (share: number): number => 6 * Math.sqrt((share * (1 - share)) / seeds)

const first = (
  latencies: ReadonlyArray<number | undefined>,
  draws: ReadonlyArray<number>,
  options?: LeastLatencyOptions
): string => {
  const contenders = latencies.map((_, index): Contender => ({
    candidate: makePricedCandidate(`p${index}`, 1),
    cost: 1
  }))
  const left = draws.slice()
  return leastLatency(options).first({
    contenders,
    latency: (contender) => latencies[contenders.indexOf(contender)],
    recent: () => undefined,
    inFlight: () => 0,
    random: () => left.shift() ?? assert.fail("draws more than was said")
  }).candidate.endpoint.tag
}

describe("leastLatency", () => {
  it("draws among the fastest and those within 10 % of it", () => {
    const shares = firsts({ dear: 500, near: 219, fast: 200, far: 221 }, { explore: 0 })
    assert.closeTo(shares["fast"]!, 1 / 2, noise(1 / 2))
    assert.closeTo(shares["near"]!, 1 / 2, noise(1 / 2))
    assert.deepStrictEqual([shares["dear"], shares["far"]], [0, 0])
  })

  it("draws among all for a share of the requests, 5 % by default", () => {
    const latencies = { fast: 100, slow: 900, slower: 5_000, unmeasured: undefined }
    const shares = firsts(latencies)
    assert.closeTo(shares["fast"]!, 0.95 + 0.05 / 4, noise(0.95 + 0.05 / 4))
    for (const tag of ["slow", "slower", "unmeasured"])
      assert.closeTo(shares[tag]!, 0.05 / 4, noise(0.05 / 4))
    const more = firsts(latencies, { explore: 0.4 })
    assert.closeTo(more["fast"]!, 0.7, noise(0.7))
    for (const tag of ["slow", "slower", "unmeasured"]) assert.closeTo(more[tag]!, 0.1, noise(0.1))
    assert.closeTo(firsts(latencies, { explore: 1 })["slower"]!, 1 / 4, noise(1 / 4))
  })

  it("draws among all without measurements", () => {
    const shares = firsts({ one: undefined, two: undefined, three: undefined })
    for (const tag of ["one", "two", "three"]) assert.closeTo(shares[tag]!, 1 / 3, noise(1 / 3))
  })

  it("expects an unmeasured candidate to perform like its peers", () => {
    // The median of 100 and 104: within 10 % of the best.
    const shares = firsts({ one: 100, two: 104, new: undefined }, { explore: 0 })
    for (const tag of ["one", "two", "new"]) assert.closeTo(shares[tag]!, 1 / 3, noise(1 / 3))
    assert.strictEqual(firsts({ one: 100, two: 900, new: undefined }, { explore: 0 })["new"], 0)
  })

  it("always draws two random numbers", () => {
    assert.strictEqual(first([300, 100, 105], [0.05, 0]), "p1")
    assert.strictEqual(first([300, 100, 105], [0.05, 0.999]), "p2")
    assert.strictEqual(first([300, 100, 105], [0.049, 0]), "p0")
    assert.strictEqual(first([300, undefined, 105], [0.9, 0.999]), "p2")
    assert.strictEqual(first([undefined, undefined], [0.9, 0.999]), "p1")
    assert.strictEqual(first([0, 1], [0.9, 0.999]), "p0")
    assert.strictEqual(first([100, 100], [0.9, 0.999], { within: 0 }), "p1")
    assert.strictEqual(first([100, 199], [0.9, 0.999], { within: 1 }), "p1")
  })

  it("chooses a candidate for any numbers", () => {
    assert.strictEqual(first([-100, 50], [0.9, 0]), "p0")
    assert.strictEqual(first([100, 50], [0.9, 0], { within: -1 }), "p1")
  })

  it("does not put a demoted candidate first", () => {
    const candidates = [
      makePricedCandidate("fast", 1),
      makePricedCandidate("slow", 2),
      makePricedCandidate("slower", 3)
    ]
    const health = makeSnapshot({
      fast: { ...downReport, samples: 100, latency: makeFlatPercentiles(10) },
      slow: makeMeasuredReport({ latency: 500 }),
      slower: makeMeasuredReport({ latency: 900 })
    })
    const strategy = leastLatency({ explore: 0 })
    for (let seed = 0; seed < 100; seed++) {
      const { ordered, strategy: name } = makePlan(candidates, {}, { health, seed, strategy })
      assert.deepStrictEqual(
        ordered.map(({ endpoint }) => endpoint.tag),
        ["slow", "slower", "fast"]
      )
      assert.strictEqual(name, "least-latency")
    }
  })

  it("does not count fast failures as speed", () => {
    const candidates = [makePricedCandidate("failing", 1), makePricedCandidate("slow", 2)]
    const failing = makeReport({ samples: 0, errors: { server_error: 50 }, uptime: { m5: 2 } })
    const health = makeSnapshot({ failing, slow: makeMeasuredReport({ latency: 5_000 }) })
    const { ordered } = makePlan(candidates, {}, { health, strategy: leastLatency({ explore: 0 }) })
    assert.strictEqual(ordered[0]?.endpoint.tag, "slow")
  })

  it("chooses for each model separately", () => {
    const candidates = [
      makePricedCandidate("one", 1),
      makePricedCandidate("two", 2),
      ...["one", "two"].map((tag) => {
        const { endpoint, ...rest } = makePricedCandidate(tag, tag === "one" ? 1 : 2)
        return { ...rest, id: `a/c@${tag}`, endpoint: { ...endpoint, id: `a/c@${tag}`, model: ac } }
      })
    ]
    const health = makeSnapshot({
      one: makeMeasuredReport({ latency: 900 }),
      two: makeMeasuredReport({ latency: 100 }),
      "a/c@one": makeMeasuredReport({ latency: 100 }),
      "a/c@two": makeMeasuredReport({ latency: 900 })
    })
    const { ordered } = makePlan(
      candidates,
      {},
      {
        health,
        models: [{ id: ab }, { id: ac }],
        strategy: leastLatency({ explore: 0 })
      }
    )
    assert.deepStrictEqual(
      ordered.map(({ id }) => id),
      ["a/b@two", "a/b@one", "a/c@one", "a/c@two"]
    )
  })
})
