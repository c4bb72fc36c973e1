/**
 * Measures what escalation from a small model to a large one costs and keeps, on answers of real models to MMLU-Pro, and
 * draws accuracy by share into docs/images/science. The same seeds give the same figures.
 *
 * Usage: node bench/escalation.ts [--json]
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { drawEscalation } from "./science/drawEscalation.ts"
import { measureEscalation, substitutions, targets } from "./science/escalationGoals.ts"
import { mean } from "./science/measureCalibration.ts"

const images = join(import.meta.dirname, "../docs/images/science")
const { goals, results } = measureEscalation()
mkdirSync(images, { recursive: true })
writeFileSync(join(images, "escalation.svg"), drawEscalation(results[0]!))

if (process.argv.includes("--json")) {
  console.log(JSON.stringify({ substitutions, results, goals }, undefined, 2))
} else {
  console.log(
    "MMLU-Pro, half 0; 1,000 labels, six draws, judged on the other rows; the large model costs ten times as much"
  )
  console.table(
    results.flatMap(({ draws, name }) =>
      targets.map((target) => {
        const of = draws.filter((draw) => draw.target === target)
        return {
          models: name,
          target,
          share: Number(mean(of, ({ share }) => share).toFixed(3)),
          "relative accuracy": Number(mean(of, ({ relative }) => relative).toFixed(3)),
          worst: Number(Math.min(...of.map(({ relative }) => relative)).toFixed(3)),
          "at random": Number(mean(of, ({ random }) => random).toFixed(3)),
          cost: Number(mean(of, ({ cost }) => cost).toFixed(3)),
          "met of 6": of.filter(({ relative }) => relative >= target).length
        }
      })
    )
  )
  console.log("Substitutions:")
  for (const line of substitutions) console.log(`- ${line}`)
  const missed = goals.filter(({ isMet }) => !isMet)
  console.log(`Goals met: ${goals.length - missed.length} of ${goals.length}`)
  for (const { goal, measured, name } of missed) {
    console.log(`- missed: ${name}: ${measured.toFixed(3)}, goal ${goal}`)
  }
}
