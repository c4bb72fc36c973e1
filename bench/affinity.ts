/**
 * Replays traces of chats through the plans of the router, against endpoints that each cache prompts, and prints how much
 * of the prompts comes from caches with and without affinity. The same seeds give the same figures. Draws a plot into
 * docs/images/science.
 *
 * Usage: node bench/affinity.ts [--json]
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { drawAffinity } from "./science/drawAffinity.ts"
import { measureAffinity, substitutions } from "./science/affinityGoals.ts"

const images = join(import.meta.dirname, "../docs/images/science")
const { goals, rows } = measureAffinity()
mkdirSync(images, { recursive: true })
writeFileSync(join(images, "affinity.svg"), drawAffinity(rows))

if (process.argv.includes("--json")) {
  console.log(JSON.stringify({ substitutions, rows, goals }, undefined, 2))
} else {
  console.log(
    "Shares are of what one endpoint would have cached; means of seeds 1 to 3; caches keep prompts for five minutes"
  )
  console.table(
    rows.map(({ ceiling, load, moved, saving, ...row }) => ({
      ...Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === "number" && name !== "endpoints" ? Number(value.toFixed(3)) : value
        ])
      ),
      ceiling: Number(ceiling.toFixed(3)),
      load: Number(load.toFixed(2)),
      moved: `${(100 * moved).toFixed(1)} %`,
      "prompt cost": `${(100 * saving).toFixed(1)} %`
    }))
  )
  console.log("Substitutions:")
  for (const line of substitutions) console.log(`- ${line}`)
  const missed = goals.filter(({ isMet }) => !isMet)
  console.log(`Goals met: ${goals.length - missed.length} of ${goals.length}`)
  for (const { comparison, goal, measured, name } of missed) {
    console.log(`- missed: ${name}: ${measured.toFixed(4)}, ${comparison} ${goal.toFixed(4)}`)
  }
}
