/**
 * Compares replays of recorded traffic with what would really have happened: synthetic traffic whose outcome at every
 * endpoint is known. Prints how far the percentiles are apart, where a replay extrapolates, and how fast it is.
 *
 * Usage: node bench/simulator.ts [seeds]
 */
import { balanced, hotCold, leastLatency, priceWeighted } from "@signalbox/core"
import { simulate } from "@signalbox/core/simulator"
import { loadTraffic } from "./science/loadTraffic.ts"

const [seeds = 3] = process.argv.slice(2).map(Number)
const { answer, models, recording, requests } = loadTraffic()
const rows = []
let replayed = 0
let elapsed = 0

for (const strategy of [priceWeighted, balanced(), hotCold(), leastLatency()]) {
  for (let seed = 1; seed <= seeds; seed++) {
    const truth = simulate({ recording: requests, models, strategy, seed, answer })
    const started = performance.now()
    const replay = simulate({ recording, models, strategy, seed })
    elapsed += performance.now() - started
    replayed += replay.requests
    const compare = (percentile: "p50" | "p95" | "p99"): string => {
      const [known = Number.NaN, foretold = Number.NaN] = [truth[percentile], replay[percentile]]
      return `${foretold} of ${known} (${(100 * (foretold / known - 1)).toFixed(1)} %)`
    }
    rows.push({
      strategy: strategy.name,
      seed,
      p50: compare("p50"),
      p95: compare("p95"),
      p99: compare("p99"),
      "USD per 1,000": ((Number(truth.cost) / 1e9 / truth.requests) * 1_000).toFixed(3),
      extrapolates: replay.extrapolates.map(({ endpoint }) => endpoint.split("@")[1]).join(", ")
    })
  }
}
console.table(rows)
console.log(`${Math.round((replayed / elapsed) * 1_000)} requests replayed a second`)
