/** Applies the rule of a Decision to its first answers. */
import * as Effect from "effect/Effect"
import { Catalog } from "../../../engine/catalog/Catalog.ts"
import { Settings } from "../../../instance/Settings.ts"
import type { Answer, Answers } from "../../../questions/Answer.ts"
import { makeRandom } from "../../../routing/plan/makeRandom.ts"
import type { AccountId } from "../../../values/ids/Ids.ts"
import type { Calibrator } from "../../calibration/Calibrator.ts"
import { mixBits } from "../../calibration/QuestionHasher.ts"
import { type Escalation, type EscalationCondition, isTarget } from "./Escalation.ts"
import { listModelNames, makeThresholdFinder } from "./EscalationThresholds.ts"
import { computeAnswerConfidence, RecentConfidences } from "./computeConfidence.ts"
import type { Unsure } from "./escalate.ts"
import { findShareThreshold, isBelow, minPairs } from "./findThreshold.ts"

/** The first answers of a Decision. */
export interface FirstAnswers {
  readonly account: AccountId
  /** The model that gave them; a dated name where the provider reports one. */
  readonly model: string
  readonly answers: Answers
  /** The confidence of an answer, from the probabilities that its label will have. */
  readonly getStoredConfidence: (name: string) => number
  /** Absent: the answers are not calibrated. */
  readonly calibrator: Pick<Calibrator, "hashes" | "version"> | undefined
  /** The seed of the plan. */
  readonly seed: number
}

export const makeUnsureFinder = Effect.gen(function* () {
  const catalog = yield* Catalog
  const { escalationShadowShare } = yield* Settings
  const findThreshold = yield* makeThresholdFinder
  const recent = new RecentConfidences()

  /** Too few confidences say nothing, so the share is drawn. */
  const isInShare = (
    key: string,
    share: number,
    confidence: number,
    draw: () => number
  ): boolean => {
    const confidences = recent.list(key)
    return confidences.length < minPairs
      ? draw() < share
      : isBelow(findShareThreshold(confidences, share), confidence, draw)
  }

  const findByShare = (
    names: ReadonlyArray<string>,
    share: number,
    { account, answers, model }: FirstAnswers,
    draw: () => number
  ): Unsure => ({
    questions: names.filter((name) => {
      const answer = answers[name]!
      const key = JSON.stringify([account, model, answer.type])
      const confidence = computeAnswerConfidence(answer)
      const isChosen = isInShare(key, share, confidence, draw)
      recent.add(key, confidence)
      return isChosen
    })
  })

  const findByAccuracy = Effect.fnUntraced(function* (
    questionNames: ReadonlyArray<string>,
    share: number,
    to: string,
    { account, answers, calibrator, getStoredConfidence, model }: FirstAnswers,
    draw: () => number
  ): Effect.fn.Return<Unsure> {
    const isLearning = draw() < escalationShadowShare
    const names = listModelNames(catalog.current(), to)
    const questions: Array<string> = []
    const paired: Array<string> = []
    const below = new Set<number>()
    let reason: Unsure["reason"]
    for (const name of questionNames) {
      const answer = answers[name]!
      const question = calibrator?.hashes.get(name)?.key
      const threshold = yield* findThreshold({
        account,
        model,
        to: names,
        kind: answer.type,
        share,
        version: calibrator?.version ?? 0,
        ...(question === undefined ? undefined : { question })
      })
      below.add(threshold.below)
      reason ??= threshold.reason
      const isPaired = isLearning || threshold.reason !== undefined
      if (isPaired) paired.push(name)
      if (isPaired || isBelow(threshold, getStoredConfidence(name), draw)) {
        questions.push(name)
      }
    }
    const [only] = below
    return {
      questions,
      paired,
      ...(below.size === 1 && only !== undefined ? { threshold: only } : undefined),
      ...(reason === undefined ? (isLearning ? { reason: "learning" } : undefined) : { reason })
    }
  })

  return ({ question, rule, to: [to] }: Escalation, first: FirstAnswers): Effect.Effect<Unsure> => {
    if (!isTarget(rule)) {
      const threshold = rule.type === "confidence" ? { threshold: rule.below } : undefined
      return Effect.succeed({ questions: findUnsure(rule, first.answers), ...threshold })
    }
    const names = Object.keys(first.answers).filter(
      (name) => question === undefined || name === question
    )
    // The plan draws its endpoints from the same seed. The salt makes the division of ties independent of the endpoint.
    const draw = makeRandom(mixBits(first.seed ^ salt))
    return rule.type === "max_share"
      ? Effect.succeed(findByShare(names, rule.share, first, draw))
      : findByAccuracy(names, rule.share, to, first, draw)
  }
})

const salt = 0x74696573

/** Empty when the condition does not hold; otherwise the questions at which a part of it does. */
export const findUnsure = (
  condition: EscalationCondition,
  answers: Answers
): ReadonlyArray<string> => {
  switch (condition.type) {
    case "confidence": {
      const { below, coversNoul, question } = condition
      return select(
        answers,
        question,
        (answer) => (coversNoul || answer.type !== "noul") && toConfidence(answer) < below
      )
    }
    case "probability": {
      const [from, to] = condition.between
      return select(answers, condition.question, (answer) => {
        if (answer.type !== "noul") return false
        const yes = dropRounding(answer.noul)
        return yes >= from && yes <= to
      })
    }
    case "group": {
      const found = condition.conditions
        .map((each) => findUnsure(each, answers))
        .filter((names) => names.length > 0)
      return found.length >= condition.atLeast ? Array.from(new Set(found.flat())) : []
    }
  }
}

/** 0 to 1. The confidence of a yes/no question is that of a choice between two labels. */
export const toConfidence = (answer: Answer): number =>
  dropRounding(answer.type === "noul" ? Math.abs(2 * answer.noul - 1) : (answer.confidence ?? 1))

/** |2 * 0.95 - 1| is 0.8999999999999999, which is not below 0.9. */
const dropRounding = (value: number): number => Math.round(value * 1e12) / 1e12

const select = (
  answers: Answers,
  question: string | undefined,
  isUnsure: (answer: Answer) => boolean
): ReadonlyArray<string> =>
  Object.keys(answers).filter(
    (name) => (question === undefined || name === question) && isUnsure(answers[name]!)
  )
