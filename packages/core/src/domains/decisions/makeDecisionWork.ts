/** What one attempt at a Decision does: asks the upstream, checks the reply, calibrates the answers. */
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import type * as HttpClient from "effect/http/HttpClient"
import * as Result from "effect/Result"
import type { CalibratedAnswers, Calibrator } from "../calibration/Calibrator.ts"
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import { truncateText } from "../../engine/observability/generations/truncateGeneration.ts"
import type { Answers } from "../../questions/Answer.ts"
import type { Candidate } from "../../routing/Candidate.ts"
import {
  addServerTools,
  boundReading,
  listServerTools
} from "../../routing/serverTools/boundServerTools.ts"
import { toServedAs } from "../../routing/toServedAs.ts"
import type { AttemptSuccess, HedgingTraits, RouteWork } from "../../routing/RouteWork.ts"
import type { EscalationOutcome } from "../../routing/RouteQuery.ts"
import type {
  DecisionCall,
  DecisionCapability,
  DecisionReply
} from "../../engine/upstreams/DecisionCapability.ts"
import { type TokenUsage, getRequestCount } from "../../values/usage/TokenUsage.ts"
import { checkReply } from "./checkReply.ts"
import { estimatePromptTokens, listImages } from "./contentSize.ts"
import type { ParsedDecision } from "./parseDecisionRequest.ts"
import * as Step from "../../values/Step.ts"

/** The answers of a Decision, and the reply they were derived from. */
export interface CheckedReply {
  readonly answers: Answers
  readonly reply: DecisionReply
  /** Absent when the Decision is not calibrated. */
  readonly calibrated?: CalibratedAnswers
  /** The outcome of the escalation; absent: it was not asked for. */
  readonly escalation?: EscalationOutcome
}

type Success = AttemptSuccess<CheckedReply>

const decisionHedging: HedgingTraits = { kind: "decision", isDefault: false }

export const makeDecisionWork = (
  parsed: ParsedDecision,
  calibrator: Calibrator | undefined
): RouteWork<DecisionCapability, CheckedReply, HttpClient.HttpClient> => ({
  prepareWorstCase: parsed.measure,
  hedging: decisionHedging,
  getWorstCase: ({ candidate, capability }) =>
    addImages(
      parsed,
      addServerTools(
        capability.estimateWorstCase(toDecisionCall(parsed, candidate.endpoint)),
        listUnaskedTools(candidate),
        candidate.endpoint
      )
    ),
  getReadingBound: ({ candidate }) => boundReading(listUnaskedTools(candidate), candidate.endpoint),
  getUnreportedUsage: ({ candidate, capability }) => {
    const worst = capability.estimateWorstCase(toDecisionCall(parsed, candidate.endpoint))
    const inputTokens = estimatePromptTokens(parsed.request, parsed.bytes)
    return addImages(parsed, {
      inputTokens: Math.min(inputTokens, worst.inputTokens),
      outputTokens: 0,
      requests: Math.min(1, getRequestCount(worst))
    })
  },
  run: ({ candidate, capability, credential }, spent) =>
    Step.flatMap(
      capability.decide(
        toDecisionCall(parsed, candidate.endpoint, credential, (usage) =>
          spent(addImages(parsed, usage))
        )
      ),
      (reply) => {
        const checked = checkReply(parsed.request.questions, reply)
        if (Result.isFailure(checked)) return Effect.fail(checked.failure)
        const success: { -readonly [K in keyof Success]: Success[K] } = {
          value:
            calibrator === undefined
              ? { answers: checked.success, reply }
              : calibrateReply(parsed, calibrator, checked.success, reply, candidate.endpoint),
          usage: addImages(parsed, reply.usage)
        }
        if (reply.cost !== undefined) success.cost = reply.cost
        if (reply.model !== undefined) success.model = reply.model
        const servedAs = findServedAs(candidate.endpoint, reply)
        if (servedAs !== undefined) success.servedAs = servedAs
        return Effect.succeed(success)
      }
    )
})

/** A Decision has no tools, but its model may search by itself. */
const listUnaskedTools = (candidate: Candidate): ReturnType<typeof listServerTools> =>
  listServerTools(undefined, candidate)

const findServedAs = (
  { tier }: Endpoint,
  reply: DecisionReply
): AttemptSuccess<never>["servedAs"] =>
  toServedAs(reply, tier === "default" ? undefined : { service_tier: tier })

const calibrateReply = (
  { request: { calibration, questions } }: ParsedDecision,
  calibrator: Calibrator,
  answers: Answers,
  reply: DecisionReply,
  endpoint: Endpoint
): CheckedReply => {
  const model = truncateText(reply.model ?? endpoint.model)
  const calibrated = calibrator.calibrate(questions, answers, reply, model, calibration?.coverage)
  return { answers: calibrated.answers, reply, calibrated }
}

/** Every request to the provider carries all images of the state. */
const addImages = ({ request }: ParsedDecision, usage: TokenUsage): TokenUsage => {
  const images = listImages(request.state).length
  return images === 0 ? usage : { ...usage, images: images * getRequestCount(usage) }
}

const toDecisionCall = (
  parsed: ParsedDecision,
  endpoint: Endpoint,
  credential?: DecisionCall["credential"],
  onUsage: DecisionCall["onUsage"] = constVoid
): DecisionCall => {
  const { supportedParameters, tier, upstreamModel } = endpoint
  const { questions, state } = parsed.request
  const call: { -readonly [K in keyof DecisionCall]: DecisionCall[K] } = {
    onUsage,
    model: upstreamModel,
    supportedParameters,
    state,
    questions,
    get contentBytes() {
      return parsed.contentBytes()
    }
  }
  if (credential !== undefined) call.credential = credential
  if (tier !== "default" && (supportedParameters?.has("service_tier") ?? true)) {
    call.serviceTier = tier
  }
  return call
}
