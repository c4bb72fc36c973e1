/** Escalates from small models to large ones on answers of real models: thresholds from drawn labels, judged on the other rows. */
import { applyMap } from "../../packages/core/src/domains/calibration/applyMap.ts"
import { chooseMap } from "../../packages/core/src/domains/calibration/chooseMap.ts"
import { computeConfidence } from "../../packages/core/src/domains/decisions/escalation/computeConfidence.ts"
import {
  type AnswerPair,
  findShareThreshold,
  findThreshold,
  isBelow
} from "../../packages/core/src/domains/decisions/escalation/findThreshold.ts"
import { makeRandom } from "../../packages/core/src/routing/plan/makeRandom.ts"
import { drawRows } from "./drawRows.ts"
import { mean, toLabeledAnswer } from "./measureCalibration.ts"
import { type ModelAnswer, type ModelColumn, models, readMmluPro } from "./readMmluPro.ts"

export const substitutions: ReadonlyArray<string> = [
  "Llama 3.1 8B to 70B on MMLU, four options -> 8B to 405B, the smallest and the largest model of the table, on half 0 of MMLU-Pro, ten options",
  "cost <= 0.83 at a target of 0.98 and 0.69 at 0.95 -> printed, without a goal: another pair of models needs another share",
  "the target is met in at least 4 of 6 draws -> the same; within 0.015 in 6 of 6 -> the same"
]

interface PairColumn {
  readonly from: ModelColumn
  readonly to: ModelColumn
  readonly measure: "stated" | "logit"
}

/** The first one has the goals. */
const columns: ReadonlyArray<PairColumn> = [
  { from: "l8", to: "l405", measure: "logit" },
  { from: "l8", to: "l70", measure: "logit" },
  { from: "l8", to: "l405", measure: "stated" },
  { from: "nano", to: "full", measure: "stated" },
  { from: "nano", to: "full", measure: "logit" }
]

export const targets = [0.99, 0.98, 0.95, 0.9] as const
const goalTargets: ReadonlySet<number> = new Set([0.98, 0.95])

const labels = 1_000
const seeds = Array.from({ length: 6 }, (_, at) => 500 + at)

/** Prices of the brief: the large model costs ten times as much. */
const priceRatio = 10

/** Answers of both models, with the probabilities of the first. */
interface PairedRow {
  readonly first: ModelAnswer
  readonly second: ModelAnswer
}

const readPairs = ({ from, measure, to }: PairColumn): ReadonlyArray<PairedRow> => {
  const others = new Map(readMmluPro(to, "stated").map((answer) => [answer.row, answer]))
  return readMmluPro(from, measure).flatMap((first) => {
    const second = others.get(first.row)
    return second === undefined ? [] : [{ first, second }]
  })
}

/** One draw of labels at one target. */
interface EscalationDraw {
  readonly target: number
  readonly seed: number
  /** The share of the questions that was asked again. */
  readonly share: number
  /** Accuracy as a share of the large model's. */
  readonly relative: number
  /** The same at the same share, chosen at random. */
  readonly random: number
  /** Cost as a share of asking only the large model. */
  readonly cost: number
}

export interface EscalationResult extends PairColumn {
  readonly name: string
  readonly draws: ReadonlyArray<EscalationDraw>
  /** Accuracy by the share that is asked again, of all rows. */
  readonly curve: ReadonlyArray<{
    readonly share: number
    readonly byConfidence: number
    readonly atRandom: number
  }>
}

const toPairs = (
  rows: ReadonlyArray<PairedRow>,
  measure: string,
  labelled: ReadonlyArray<PairedRow>
): ReadonlyArray<AnswerPair> => {
  const { map } = chooseMap({
    kind: "choice",
    method: measure,
    answers: labelled.map(({ first }) => toLabeledAnswer("choice", first))
  })
  return rows.map(({ first, second }) => ({
    confidence: computeConfidence(
      "choice",
      applyMap("choice", map, toLabeledAnswer("choice", first).probabilities)
    ),
    isRight: first.answer === first.correct,
    isOtherRight: second.answer === second.correct
  }))
}

const countShare = <A>(all: ReadonlyArray<A>, is: (each: A) => boolean): number =>
  all.filter(is).length / all.length

const measureDraws = (column: PairColumn, rows: ReadonlyArray<PairedRow>) =>
  seeds.flatMap((seed) => {
    const drawn = drawRows(rows, seed)
    const labelled = drawn.slice(0, labels)
    const pairs = toPairs(labelled, column.measure, labelled)
    const test = toPairs(drawn.slice(labels), column.measure, labelled)
    const large = countShare(test, ({ isOtherRight }) => isOtherRight)
    const small = countShare(test, ({ isRight }) => isRight)
    return targets.map((target): EscalationDraw => {
      const threshold = findThreshold(pairs, target)
      const draw = makeRandom(seed)
      const asked = test.map(({ confidence }) => isBelow(threshold, confidence, draw))
      const share = countShare(asked, (again) => again)
      const accuracy =
        test.filter(({ isOtherRight, isRight }, at) =>
          asked[at] === true ? isOtherRight : isRight
        ).length / test.length
      return {
        target,
        seed,
        share,
        relative: accuracy / large,
        random: (share * large + (1 - share) * small) / large,
        cost: 1 / priceRatio + share
      }
    })
  })

const measureCurve = (column: PairColumn, rows: ReadonlyArray<PairedRow>) => {
  const pairs = toPairs(rows, column.measure, rows.slice(0, labels))
  const confidences = pairs.map(({ confidence }) => confidence)
  const large = countShare(pairs, ({ isOtherRight }) => isOtherRight)
  const small = countShare(pairs, ({ isRight }) => isRight)
  return Array.from({ length: 21 }, (_, step) => {
    const share = step / 20
    const threshold = findShareThreshold(confidences, share)
    const draw = makeRandom(1)
    return {
      share,
      byConfidence: countShare(pairs, ({ confidence, isOtherRight, isRight }) =>
        isBelow(threshold, confidence, draw) ? isOtherRight : isRight
      ),
      atRandom: share * large + (1 - share) * small
    }
  })
}

/** A figure beside what it must reach. */
export interface EscalationGoal {
  readonly name: string
  readonly measured: number
  readonly goal: number
  readonly isMet: boolean
}

export const measureEscalation = (): {
  readonly results: ReadonlyArray<EscalationResult>
  readonly goals: ReadonlyArray<EscalationGoal>
} => {
  const results = columns.map((column): EscalationResult => {
    const rows = readPairs(column)
    return {
      ...column,
      name: `${models[column.from]} to ${models[column.to]}, ${column.measure}`,
      draws: measureDraws(column, rows),
      curve: measureCurve(column, rows)
    }
  })
  return { results, goals: listGoals(results[0]!) }
}

const listGoals = ({ draws, name }: EscalationResult): ReadonlyArray<EscalationGoal> =>
  targets.flatMap((target) => {
    if (!goalTargets.has(target)) return []
    const of = draws.filter((draw) => draw.target === target)
    const met = of.filter(({ relative }) => relative >= target).length
    const near = of.filter(({ relative }) => relative >= target - 0.015).length
    const beyond = mean(of, ({ random, relative }) => relative - random)
    return [
      { name: `${name}: draws of 6 that keep ${target}`, measured: met, goal: 4, isMet: met >= 4 },
      {
        name: `${name}: draws of 6 within 0.015 of ${target}`,
        measured: near,
        goal: 6,
        isMet: near >= 6
      },
      {
        name: `${name}: accuracy beyond a random choice of as many at ${target}`,
        measured: beyond,
        goal: 0,
        isMet: beyond > 0
      }
    ]
  })
