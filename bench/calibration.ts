/**
 * Measures calibration on answers of ten models to MMLU-Pro, prints figures beside goals, and draws reliability diagrams
 * into docs/images/science. The same seeds give the same figures.
 *
 * Usage: node bench/calibration.ts [draws] [--json]
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { applyMap } from "../packages/core/src/domains/calibration/applyMap.ts"
import { computeCalibrationFigures } from "../packages/core/src/domains/calibration/fitGroup.ts"
import { chooseMap } from "../packages/core/src/domains/calibration/chooseMap.ts"
import { reliabilityDiagram } from "../packages/core/src/domains/calibration/reliabilityDiagram.ts"
import { measureCalibration, substitutions } from "./science/calibrationGoals.ts"
import { drawRows } from "./science/drawRows.ts"
import { type Column, coverages, mean, toLabeledAnswers } from "./science/measureCalibration.ts"
import { models } from "./science/readMmluPro.ts"

const images = join(import.meta.dirname, "../docs/images/science")

const diagrams: ReadonlyArray<Column> = [
  { model: "nano", measure: "stated", kind: "noul" },
  { model: "l8", measure: "logit", kind: "choice" },
  { model: "sonnet", measure: "stated", kind: "choice" }
]

/** The first half of the rows is labelled, the second one drawn. */
const drawDiagram = (column: Column): void => {
  const { kind, measure, model } = column
  const rows = drawRows(toLabeledAnswers(column), 100)
  const [labels, test] = [rows.slice(0, 1_000), rows.slice(3_008)]
  const { map } = chooseMap({ kind, method: measure, answers: labels })
  const before = computeCalibrationFigures(kind, test)
  const after = computeCalibrationFigures(
    kind,
    test.map((answer) => ({ ...answer, probabilities: applyMap(kind, map, answer.probabilities) }))
  )
  const svg = reliabilityDiagram({
    title: `${models[model]}: ${measure === "stated" ? "stated confidence" : "log-probabilities"}, ${kind === "noul" ? "yes or no" : "ten options"}`,
    notes: [
      `grey: as answered, ECE ${before.ece.toFixed(3)}`,
      `blue: ${map.type} of 1,000 labels, ECE ${after.ece.toFixed(3)} (by chance ${after.chanceEce.toFixed(3)})`
    ],
    before: before.bins,
    bins: after.bins
  })
  mkdirSync(images, { recursive: true })
  writeFileSync(join(images, `calibration-${model}-${measure}-${kind}.svg`), svg)
}

const round = (value: number): number => Number(value.toFixed(3))

const [draws = 20] = process.argv
  .slice(2)
  .flatMap((text) => (/^\d+$/.test(text) ? [Number(text)] : []))
const results = measureCalibration(draws)
for (const column of diagrams) drawDiagram(column)

if (process.argv.includes("--json")) {
  console.log(JSON.stringify({ draws, substitutions, ...results }, undefined, 2))
} else {
  console.log(
    `MMLU-Pro, half 0; means of ${draws} draws of labels, judged on about 2,900 other rows`
  )
  console.table(
    results.columns.flatMap(({ draws, name }) =>
      [...new Set(draws.map(({ labels }) => labels))].map((labels) => {
        const drawn = draws.filter((draw) => draw.labels === labels)
        const maps = drawn.map(({ map }) => map.type)
        return {
          column: name,
          labels,
          "raw ECE": round(mean(drawn, ({ raw }) => raw.ece)),
          ECE: round(mean(drawn, ({ calibrated }) => calibrated.ece)),
          worst: round(Math.max(...drawn.map(({ calibrated }) => calibrated.ece))),
          chance: round(mean(drawn, ({ calibrated }) => calibrated.chanceEce)),
          NLL: round(mean(drawn, ({ calibrated }) => calibrated.nll)),
          "plain T": round(mean(drawn, ({ temperature }) => temperature.nll)),
          ...Object.fromEntries(
            coverages.map((coverage, at) => [
              `${coverage} sets`,
              `${mean(drawn, ({ sets }) => sets[at]!.covered).toFixed(3)} by ${mean(drawn, ({ sets }) => sets[at]!.size).toFixed(2)}`
            ])
          ),
          "0.9 by held-out": mean(drawn, ({ heldOutSets }) => heldOutSets[0]!.covered).toFixed(3),
          maps: [...new Set(maps)]
            .map((type) => `${maps.filter((other) => other === type).length} ${type}`)
            .join(", ")
        }
      })
    )
  )
  console.log("Substitutions:")
  for (const line of substitutions) console.log(`- ${line}`)
  const missed = results.goals.filter(({ isMet }) => !isMet)
  console.log(`Goals met: ${results.goals.length - missed.length} of ${results.goals.length}`)
  for (const { comparison, goal, measured, name } of missed) {
    console.log(`- missed: ${name}: ${measured.toFixed(4)}, ${comparison} ${goal.toFixed(4)}`)
  }
}
