/** The goals of calibration, and the rows that are measured for them. */
import {
  type Column,
  type ColumnResult,
  coverages,
  type Draw,
  mean,
  measureColumn
} from "./measureCalibration.ts"
import { type ModelColumn, models } from "./readMmluPro.ts"

/** A figure beside its goal. */
interface Goal {
  readonly name: string
  readonly measured: number
  readonly goal: number
  /** What the figure must be. */
  readonly comparison: "at most" | "at least"
  readonly isMet: boolean
}

export interface CalibrationResults {
  readonly columns: ReadonlyArray<ColumnResult>
  readonly goals: ReadonlyArray<Goal>
}

/**
 * Goals for log-probabilities of Llama 3.1 on MMLU were set on data that is not part of this repository. They are
 * measured on MMLU-Pro instead, in these terms.
 */
export const substitutions: ReadonlyArray<string> = [
  "log-probabilities of four options on MMLU -> the confidence of the chosen letter on MMLU-Pro, the other nine share the rest",
  "ECE at 1,000 labels <= 0.045 and 0.030 (0.37 and 0.28 of raw) -> <= 0.4 of raw, or chance + 0.02, every column",
  "ECE of each of 4 draws at 10, 50, 200 labels -> the same multiples of the raw error: 8B 1.24, 0.62, 0.50, 70B 1.32, 0.71, 0.42",
  "sets of 2.5 and 1.4 of 4 options -> coverage within two standard errors, and for log-probabilities at most 1.1 of the options of sets by held-out scores",
  "raw ECE of the stated yes/no row was 0.260 on all of MMLU-Pro -> the half that is here"
]

// Safe: the keys of a constant.
const allModels = Object.keys(models) as ReadonlyArray<ModelColumn>

/** `draws`: how many draws of labels each figure is the mean of, seeds from 100. */
export const measureCalibration = (
  draws: number,
  names: ReadonlyArray<ModelColumn> = allModels
): CalibrationResults => {
  const seeds = Array.from({ length: draws }, (_, at) => 100 + at)
  const columns = listColumns(names).map((column) =>
    measureColumn(column, pickCounts(column), seeds)
  )
  return { columns, goals: columns.flatMap(listGoals) }
}

/** Claude's columns have no log-probabilities. */
const withoutLogits: ReadonlySet<ModelColumn> = new Set(["haiku", "sonnet"])

const listColumns = (names: ReadonlyArray<ModelColumn>): ReadonlyArray<Column> =>
  names.flatMap((model): ReadonlyArray<Column> => [
    { model, measure: "stated", kind: "noul" },
    { model, measure: "stated", kind: "choice" },
    ...(withoutLogits.has(model) ? [] : [{ model, measure: "logit", kind: "choice" } as const])
  ])

/** The multiples of the raw error that 10, 50 and 200 labels may leave. */
const fewLabels: Partial<Record<ModelColumn, Readonly<Record<number, number>>>> = {
  l8: { 10: 0.15 / 0.121, 50: 0.075 / 0.121, 200: 0.06 / 0.121 },
  l70: { 10: 0.14 / 0.106, 50: 0.075 / 0.106, 200: 0.045 / 0.106 }
}
const fewLabelDraws = 4

/** Goals for GPT-4.1 nano, which states its confidence. */
const statedGoals: Readonly<Record<number, number>> = { 50: 0.16, 200: 0.1, 1_000: 0.055 }

const isStatedRow = ({ kind, measure, model }: Column): boolean =>
  model === "nano" && measure === "stated" && kind === "noul"

const isFewLabelsRow = ({ measure, model }: Column): boolean =>
  measure === "logit" && fewLabels[model] !== undefined

const pickCounts = (column: Column): ReadonlyArray<number> => {
  if (isStatedRow(column)) return [50, 200, 1_000]
  return isFewLabelsRow(column) ? [10, 50, 200, 1_000] : [1_000]
}

const listGoals = (column: ColumnResult): ReadonlyArray<Goal> => {
  const { draws, kind, measure, name } = column
  const pick = (labels: number) => draws.filter((draw) => draw.labels === labels)
  const many = pick(1_000)
  const raw = mean(many, (draw) => draw.raw.ece)
  const ece = mean(many, (draw) => draw.calibrated.ece)
  return [
    ...(isStatedRow(column)
      ? Object.entries(statedGoals).map(([labels, goal]) =>
          atMost(
            `ECE at ${labels} labels: ${name}`,
            mean(pick(Number(labels)), (draw) => draw.calibrated.ece),
            goal
          )
        )
      : []),
    ...(isFewLabelsRow(column)
      ? Object.entries(fewLabels[column.model] ?? {}).map(([labels, multiple]) =>
          atMost(
            `worst ECE of ${fewLabelDraws} draws at ${labels} labels: ${name}`,
            Math.max(
              ...pick(Number(labels))
                .slice(0, fewLabelDraws)
                .map((draw) => draw.calibrated.ece)
            ),
            raw * multiple
          )
        )
      : []),
    atMost(
      `ECE at 1000 labels: ${name}`,
      ece,
      Math.max(0.4 * raw, mean(many, (draw) => draw.calibrated.chanceEce) + 0.02)
    ),
    noWorse("Brier", (figures) => figures.brier, many, name),
    noWorse("NLL", (figures) => figures.nll, many, name),
    ...(kind === "choice"
      ? [
          atMost(
            `answers changed: ${name}`,
            mean(draws, (draw) => draw.changed),
            0
          )
        ]
      : []),
    ...coverages.flatMap((coverage, at) => {
      const covered = mean(many, (draw) => draw.sets[at]!.covered)
      // Both the labels and the rows that judge them are drawn.
      const deviation = Math.sqrt(coverage * (1 - coverage) * (1 / 1_000 + 1 / 2_800))
      return [
        atLeast(`${coverage} sets cover: ${name}`, covered, coverage - 2 * deviation),
        // Stated confidences come in steps, and a set takes in a whole step.
        ...(measure === "logit"
          ? [
              atMost(
                `${coverage} sets, options: ${name}`,
                mean(many, (draw) => draw.sets[at]!.size),
                1.1 * mean(many, (draw) => draw.heldOutSets[at]!.size)
              )
            ]
          : [])
      ]
    })
  ]
}

/** Than a plain temperature; rounding aside. */
const noWorse = (
  what: string,
  pick: (figures: Draw["raw"]) => number,
  draws: ReadonlyArray<Draw>,
  name: string
): Goal =>
  atMost(
    `${what} at 1000 labels, plain temperature as goal: ${name}`,
    mean(draws, (draw) => pick(draw.calibrated)),
    mean(draws, (draw) => pick(draw.temperature)) + 0.001
  )

const atMost = (name: string, measured: number, goal: number): Goal => ({
  name,
  measured,
  goal,
  comparison: "at most",
  isMet: measured <= goal
})

const atLeast = (name: string, measured: number, goal: number): Goal => ({
  name,
  measured,
  goal,
  comparison: "at least",
  isMet: measured >= goal
})
