/** What the labels of an account say about escalation from one model to another. */
import { wilsonInterval } from "../../calibration/reliability.ts"
import { makeRandom } from "../../../routing/plan/makeRandom.ts"
import {
  type AnswerPair,
  type EscalationThreshold,
  findShareThreshold,
  findThreshold,
  isBelow
} from "./findThreshold.ts"

/** A share of right answers with the interval in which it lies with 95 % confidence. */
export interface Accuracy {
  readonly share: number
  readonly low: number
  readonly high: number
}

/** What would have become of the labelled answers at one target. */
export interface TargetReport {
  readonly relativeAccuracy: number
  readonly threshold: EscalationThreshold
  /** The share of the questions that would have been asked again. */
  readonly share: number
  readonly accuracy: Accuracy
  /** The same over the latest 200 pairs, which shows whether the traffic is still like the labels; absent with fewer. */
  readonly recent?: Accuracy
}

/** Accuracy when a share of the questions is asked again. */
export interface CurvePoint {
  readonly share: number
  /** The least sure first. */
  readonly byConfidence: number
  readonly atRandom: number
  /** With foresight: those first that only the other model gets right. No rule can do better. */
  readonly best: number
}

export interface EscalationReport {
  readonly pairs: number
  /** The accuracy of each model alone. */
  readonly first: Accuracy
  readonly other: Accuracy
  readonly targets: ReadonlyArray<TargetReport>
  readonly curve: ReadonlyArray<CurvePoint>
}

const reportedTargets = [0.99, 0.98, 0.95, 0.9]
const recentPairs = 200
const curveSteps = 20

/** The latest pairs come first. */
export const reportEscalation = (pairs: ReadonlyArray<AnswerPair>): EscalationReport => ({
  pairs: pairs.length,
  first: toAccuracy(pairs, isRight),
  other: toAccuracy(pairs, isOtherRight),
  targets: reportedTargets.map((target) => reportTarget(pairs, target)),
  curve: pairs.length === 0 ? [] : listCurve(pairs)
})

const reportTarget = (pairs: ReadonlyArray<AnswerPair>, relativeAccuracy: number): TargetReport => {
  const threshold = findThreshold(pairs, relativeAccuracy)
  const draw = makeRandom(1)
  const served = pairs.map((pair) => {
    const isAsked = isBelow(threshold, pair.confidence, draw)
    return { isAsked, isRight: isAsked ? pair.isOtherRight : pair.isRight }
  })
  return {
    relativeAccuracy,
    threshold,
    share: countShare(served, ({ isAsked }) => isAsked),
    accuracy: toAccuracy(served, isRight),
    ...(pairs.length < recentPairs
      ? undefined
      : { recent: toAccuracy(served.slice(0, recentPairs), isRight) })
  }
}

const listCurve = (pairs: ReadonlyArray<AnswerPair>): ReadonlyArray<CurvePoint> => {
  const confidences = pairs.map(({ confidence }) => confidence)
  const first = countShare(pairs, isRight)
  const other = countShare(pairs, isOtherRight)
  const gains = countShare(pairs, (pair) => pair.isOtherRight && !pair.isRight)
  const losses = countShare(pairs, (pair) => pair.isRight && !pair.isOtherRight)
  return Array.from({ length: curveSteps + 1 }, (_, step) => {
    const share = step / curveSteps
    const threshold = findShareThreshold(confidences, share)
    const draw = makeRandom(1)
    return {
      share,
      byConfidence: countShare(pairs, (pair) =>
        isBelow(threshold, pair.confidence, draw) ? pair.isOtherRight : pair.isRight
      ),
      atRandom: share * other + (1 - share) * first,
      // Neither those that both get right nor those that neither does change anything.
      best: first + Math.min(share, gains) - Math.max(0, share - (1 - losses))
    }
  })
}

const isRight = (answer: { readonly isRight: boolean }): boolean => answer.isRight
const isOtherRight = (pair: AnswerPair): boolean => pair.isOtherRight

const countShare = <A>(all: ReadonlyArray<A>, is: (each: A) => boolean): number =>
  all.length === 0 ? 0 : all.filter(is).length / all.length

const toAccuracy = <A>(all: ReadonlyArray<A>, is: (each: A) => boolean): Accuracy => {
  const hits = all.filter(is).length
  return { share: all.length === 0 ? 0 : hits / all.length, ...wilsonInterval(hits, all.length) }
}
