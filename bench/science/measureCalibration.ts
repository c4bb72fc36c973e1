/** Measures calibration on answers of real models: fits maps to drawn labels and looks at the other rows. */
import {
  applyMap,
  clampProbabilities
} from "../../packages/core/src/domains/calibration/applyMap.ts"
import {
  type CalibrationFigures,
  computeCalibrationFigures
} from "../../packages/core/src/domains/calibration/fitGroup.ts"
import type {
  CalibrationMap,
  QuestionKind
} from "../../packages/core/src/domains/calibration/CalibrationMap.ts"
import { chooseMap } from "../../packages/core/src/domains/calibration/chooseMap.ts"
import {
  buildPredictionSet,
  findScoreQuantile,
  toConformalScores
} from "../../packages/core/src/domains/calibration/conformal.ts"
import type { LabeledAnswer } from "../../packages/core/src/domains/calibration/Labeler.ts"
import { findMode } from "../../packages/core/src/questions/distribution.ts"
import { drawRows } from "./drawRows.ts"
import { type ModelAnswer, type ModelColumn, models, readMmluPro } from "./readMmluPro.ts"

/** One column of the data, read as answers to one kind of question. */
export interface Column {
  readonly model: ModelColumn
  /** `stated`: the confidence that the model states; `logit`: the mean log-probability of its answer. */
  readonly measure: "stated" | "logit"
  /** `noul`: is the model's letter right? `choice`: which of ten letters is right? */
  readonly kind: "noul" | "choice"
}

export const coverages = [0.9, 0.95] as const

/** One draw of labels, judged on rows that were not drawn. */
export interface Draw {
  readonly seed: number
  readonly labels: number
  readonly map: CalibrationMap
  readonly raw: CalibrationFigures
  readonly calibrated: CalibrationFigures
  /** The same by one temperature of least log-loss, without a prior. */
  readonly temperature: CalibrationFigures
  /** Answers whose best option changed. */
  readonly changed: number
  /** For each of `coverages`. */
  readonly sets: ReadonlyArray<SetFigures>
  /** The same by held-out scores alone, which take no account of steps. */
  readonly heldOutSets: ReadonlyArray<SetFigures>
}

/** The share of sets with the right option, and the mean number of options. */
interface SetFigures {
  readonly covered: number
  readonly size: number
}

export interface ColumnResult extends Column {
  readonly name: string
  readonly draws: ReadonlyArray<Draw>
}

/** Rows from here on are never drawn as labels. */
const firstTestRow = 3_008
const letters = 10

export const toLabeledAnswers = ({ kind, measure, model }: Column): ReadonlyArray<LabeledAnswer> =>
  readMmluPro(model, measure).map((row) => toLabeledAnswer(kind, row))

export const toLabeledAnswer = (
  kind: Column["kind"],
  { answer, confidence, correct }: ModelAnswer
): LabeledAnswer => {
  if (kind === "noul") {
    return {
      probabilities: [confidence, 1 - confidence],
      label: answer === correct ? 0 : 1,
      weight: 1
    }
  }
  // The data has the probability of one letter; the others share the rest, and the chosen one stays the best.
  const best = Math.max(confidence, 1 / letters + 1e-4)
  const probabilities = Array.from({ length: letters }, (_, at) =>
    at === answer ? best : (1 - best) / (letters - 1)
  )
  return { probabilities, label: correct, weight: 1 }
}

export const measureColumn = (
  column: Column,
  labelCounts: ReadonlyArray<number>,
  seeds: ReadonlyArray<number>
): ColumnResult => {
  const answers = toLabeledAnswers(column)
  return {
    ...column,
    name: `${models[column.model]}, ${column.measure}, ${column.kind}`,
    draws: labelCounts.flatMap((labels) =>
      seeds.map((seed) => {
        const drawn = drawRows(answers, seed)
        return measureDraw(column, drawn.slice(0, labels), drawn.slice(firstTestRow), seed)
      })
    )
  }
}

const measureDraw = (
  { kind, measure }: Column,
  labels: ReadonlyArray<LabeledAnswer>,
  test: ReadonlyArray<LabeledAnswer>,
  seed: number
): Draw => {
  const { heldOut, map } = chooseMap({ kind, method: measure, answers: labels })
  const served = labels.map(({ probabilities }) => applyMap(kind, map, probabilities))
  const scores = toConformalScores(labels, heldOut, served)
  const heldOutScores = toConformalScores(labels, heldOut, heldOut)
  const calibrated = applyToAll(kind, map, test)
  const plain = { type: "temperature", temperature: fitPlainTemperature(kind, labels) } as const
  return {
    seed,
    labels: labels.length,
    map,
    raw: computeCalibrationFigures(kind, test),
    calibrated: computeCalibrationFigures(kind, calibrated),
    temperature: computeCalibrationFigures(kind, applyToAll(kind, plain, test)),
    changed: test.filter(
      ({ probabilities }, at) => findMode(probabilities) !== findMode(calibrated[at]!.probabilities)
    ).length,
    sets: coverages.map((coverage) =>
      measureSets(kind, calibrated, findScoreQuantile(scores, coverage))
    ),
    heldOutSets: coverages.map((coverage) =>
      measureSets(kind, calibrated, findScoreQuantile(heldOutScores, coverage))
    )
  }
}

const applyToAll = (
  kind: QuestionKind,
  map: CalibrationMap,
  answers: ReadonlyArray<LabeledAnswer>
): ReadonlyArray<LabeledAnswer> =>
  answers.map((answer) => ({
    ...answer,
    probabilities: applyMap(kind, map, answer.probabilities)
  }))

const measureSets = (
  kind: QuestionKind,
  answers: ReadonlyArray<LabeledAnswer>,
  threshold: number
): SetFigures => {
  let [covered, size] = [0, 0]
  for (const { label, probabilities } of answers) {
    const set = buildPredictionSet(kind, probabilities, findMode(probabilities), threshold)
    if (set.includes(label)) covered++
    size += set.length
  }
  return { covered: covered / answers.length, size: size / answers.length }
}

/** Fits by bisection on the slope of the log-loss, independently of the library. */
const fitPlainTemperature = (kind: QuestionKind, labels: ReadonlyArray<LabeledAnswer>): number => {
  const rows = labels.map(({ label, probabilities }) => ({
    label,
    logs: clampProbabilities(kind, probabilities).map(Math.log)
  }))
  let [low, high] = [0.05, 20]
  for (let round = 0; round < 40; round++) {
    const middle = Math.sqrt(low * high)
    let slope = 0
    for (const { label, logs } of rows) {
      const powers = logs.map((log) => Math.exp(log / middle))
      const total = powers.reduce((sum, power) => sum + power, 0)
      slope += logs.reduce((sum, log, at) => sum + (powers[at]! / total) * log, 0) - logs[label]!
    }
    // With the inverse temperature the loss is convex: its slope is positive where the temperature is too low.
    if (slope > 0) low = middle
    else high = middle
  }
  return Math.sqrt(low * high)
}

export const mean = <A>(items: ReadonlyArray<A>, pick: (item: A) => number): number =>
  items.reduce((sum, item) => sum + pick(item), 0) / items.length
