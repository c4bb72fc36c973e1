/**
 * Measures second attempts and strategies by the time to the first event, over outcomes that are known for every endpoint,
 * on virtual time: the product's planner, health and rule of hedging. Draws a plot into docs/images/science.
 *
 * Usage: node bench/hedging.ts [seeds] [--json]
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { balanced, hotCold, leastLatency, priceWeighted } from "@signalbox/core"
import { simulate } from "@signalbox/core/simulator"
import { drawTails } from "./science/drawTails.ts"
import { loadTraffic } from "./science/loadTraffic.ts"
import { makeStallingTraffic } from "./science/makeStallingTraffic.ts"
import { type HedgingFigures, measureHedging } from "./science/measureHedging.ts"

const [count = 3] = process.argv
  .slice(2)
  .flatMap((text) => (/^\d+$/.test(text) ? [Number(text)] : []))
const seeds = Array.from({ length: count }, (_, index) => index + 1)

const traffic = loadTraffic()
const { answer, models, requests: recording } = traffic
const toStalling = (share: number) => (seed: number) => ({
  recording,
  ...makeStallingTraffic(traffic, share, seed)
})

const rows: Record<string, HedgingFigures> = {}
for (const share of [0.03, 0.4]) {
  for (const hedging of [undefined, {}]) {
    const name = `${share * 100} % stalls${hedging === undefined ? "" : ", hedged"}`
    const one = { strategy: priceWeighted, ...(hedging === undefined ? undefined : { hedging }) }
    rows[name] = measureHedging(toStalling(share), one, seeds)
  }
}
for (const strategy of [priceWeighted, leastLatency(), balanced(), hotCold()]) {
  for (const hedging of [undefined, {}]) {
    const name = `${strategy.name}${hedging === undefined ? "" : ", hedged"}`
    const one = { strategy, ...(hedging === undefined ? undefined : { hedging }) }
    rows[name] = measureHedging(() => ({ answer, models, recording }), one, seeds)
  }
}

const images = join(import.meta.dirname, "../docs/images/science")
mkdirSync(images, { recursive: true })
const toTail = (name: string, strategy = priceWeighted, isHedged = false) => ({
  name,
  quantiles: simulate({ answer, models, recording, strategy, seed: 1, hedging: isHedged && {} })
    .quantiles
})
writeFileSync(
  join(images, "hedging.svg"),
  drawTails([
    toTail("price-weighted"),
    toTail("price-weighted, hedged", priceWeighted, true),
    toTail("balanced", balanced()),
    toTail("balanced, hedged", balanced(), true),
    toTail("hot-cold", hotCold())
  ])
)

if (process.argv.includes("--json")) console.log(JSON.stringify({ seeds, rows }, undefined, 2))
else {
  console.table(
    Object.fromEntries(
      Object.entries(rows).map(([name, row]) => [
        name,
        {
          p50: Math.round(row.p50),
          p95: Math.round(row.p95),
          p99: Math.round(row.p99),
          "p99.9": Math.round(row.p999),
          failures: row.failures,
          "hedged %": Number(((100 * row.hedges) / recording.length).toFixed(2)),
          "won %": row.hedges === 0 ? 0 : Math.round((100 * row.wins) / row.hedges),
          "USD/1k": Number(row.usd.toFixed(3))
        }
      ])
    )
  )
}
