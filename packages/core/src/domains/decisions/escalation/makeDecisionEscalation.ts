/** Runs a Decision whose unsure questions another model answers. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type { Calibrator } from "../../calibration/Calibrator.ts"
import { truncateText } from "../../../engine/observability/generations/truncateGeneration.ts"
import type { LabelableAnswer } from "../../../engine/observability/generations/LabelableAnswer.ts"
import type { RouteObserver, RouteQuery, RouteResult } from "../../../routing/RouteQuery.ts"
import { Routing, type RoutingError } from "../../../routing/Routing.ts"
import { Settings } from "../../../instance/Settings.ts"
import type { DecisionCapability } from "../../../engine/upstreams/DecisionCapability.ts"
import { type CheckedReply, DecisionWork } from "../DecisionWork.ts"
import { type ParsedDecision, toParsed } from "../parseDecisionRequest.ts"
import { computeAnswerConfidence, computeConfidence } from "./computeConfidence.ts"
import { escalate, type Unsure } from "./escalate.ts"
import type { Escalation } from "./Escalation.ts"
import { makeUnsureFinder } from "./makeUnsureFinder.ts"

export interface EscalatedDecision {
  readonly parsed: ParsedDecision
  readonly escalation: Escalation
  readonly query: RouteQuery<DecisionCapability>
  readonly observer: RouteObserver
  readonly calibrator: Calibrator | undefined
}

export const makeDecisionEscalation = Effect.gen(function* () {
  const routing = yield* Routing
  const { totalTimeoutMillis } = yield* Settings
  const findUnsure = yield* makeUnsureFinder

  return ({
    calibrator,
    escalation,
    observer,
    parsed,
    query
  }: EscalatedDecision): Effect.Effect<
    RouteResult<CheckedReply>,
    RoutingError,
    HttpClient.HttpClient
  > => {
    // The models that are asked again are not on trial.
    const { trial: _, ...again } = query
    return escalate<CheckedReply>({
      routing,
      observer,
      totalTimeoutMillis,
      first: { query, makeWork: () => new DecisionWork(parsed, calibrator) },
      second: {
        query: { ...again, models: escalation.to },
        makeWork: (names) =>
          new DecisionWork(
            names === undefined ? parsed : selectQuestions(parsed, names),
            calibrator
          )
      },
      findUnsure: (first, seed) => {
        const { answers, reply } = first.value
        const model = getModel(first)
        return findUnsure(escalation, {
          account: query.caller.account,
          model,
          answers,
          calibrator,
          getStoredConfidence: (name) => {
            const answer = answers[name]!
            const { type } = answer
            return calibrator === undefined
              ? computeAnswerConfidence(answer)
              : computeConfidence(type, calibrator.toStoredProbabilities(type, name, reply, model))
          },
          seed
        })
      },
      merge: (first, second, unsure) =>
        mergeAnswers(first, second, unsure, escalation.to[0], calibrator?.hashes ?? noHashes),
      countQuestions: ({ answers }) => Object.keys(answers).length,
      finish: (value, escalation) => ({ ...value, escalation })
    })
  }
})

const noHashes: Calibrator["hashes"] = new Map()

/** The name that labels are stored under. */
const getModel = ({ candidate, value: { reply } }: RouteResult<CheckedReply>): string =>
  truncateText(reply.model ?? candidate.endpoint.model)

/** The same Decision with only some of its questions. */
const selectQuestions = ({ bytes, request }: ParsedDecision, names: ReadonlyArray<string>) =>
  toParsed(
    {
      ...request,
      questions: Object.fromEntries(names.map((name) => [name, request.questions[name]!]))
    },
    bytes
  )

const mergeAnswers = (
  first: RouteResult<CheckedReply>,
  second: RouteResult<CheckedReply>,
  { paired = [], questions }: Unsure,
  to: string,
  hashes: Calibrator["hashes"]
): CheckedReply => {
  const again = new Set(questions)
  const pick = <A>(ofFirst: Readonly<Record<string, A>>, ofSecond: Readonly<Record<string, A>>) =>
    Object.fromEntries(
      Object.keys(ofFirst).map((name) => [name, (again.has(name) ? ofSecond : ofFirst)[name]!])
    )
  const answers = pick(first.value.answers, second.value.answers)
  const merged: CheckedReply = {
    answers,
    reply: again.size === Object.keys(answers).length ? second.value.reply : first.value.reply
  }
  const [ofFirst, ofSecond] = [first.value.calibrated, second.value.calibrated]
  if (ofFirst === undefined || ofSecond === undefined) return merged
  const pairedHashes = new Set(paired.map((name) => hashes.get(name)?.name))
  const label = (result: RouteResult<CheckedReply>, answer: LabelableAnswer): LabelableAnswer => ({
    ...answer,
    model: getModel(result),
    method: result.value.reply.method,
    catalogModel: truncateText(result.candidate.endpoint.model),
    ...(pairedHashes.has(answer.name) ? { pair: truncateText(to) } : undefined)
  })
  return {
    ...merged,
    calibrated: {
      answers,
      applied: pick(ofFirst.applied, ofSecond.applied),
      labelable: [
        ...ofFirst.labelable.map((answer) => label(first, answer)),
        ...ofSecond.labelable.map((answer) => label(second, answer))
      ]
    }
  }
}
