/** What one attempt at a Decision does: asks the upstream, checks the reply, calibrates the answers. */
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Result from "effect/Result"
import type * as HttpClient from "effect/http/HttpClient"
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import { truncateText } from "../../engine/observability/generations/truncateGeneration.ts"
import type {
  DecisionCall,
  DecisionCapability,
  DecisionReply
} from "../../engine/upstreams/DecisionCapability.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { Answer, Answers } from "../../questions/Answer.ts"
import type { Questions } from "../../questions/Question.ts"
import { deriveAnswer } from "../../questions/deriveAnswer.ts"
import type { Candidate } from "../../routing/Candidate.ts"
import type { EscalationOutcome } from "../../routing/RouteQuery.ts"
import type { AnswerCaching } from "../../routing/cache/AnswerCaching.ts"
import type {
  AttemptReports,
  AttemptSuccess,
  HedgingTraits,
  RouteTarget,
  RouteWork
} from "../../routing/RouteWork.ts"
import {
  addServerTools,
  boundReading,
  listServerTools
} from "../../routing/serverTools/boundServerTools.ts"
import { toServedAs } from "../../routing/toServedAs.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import * as Step from "../../values/Step.ts"
import { setOwn } from "../../values/ownFields.ts"
import { getRequestCount, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { CalibratedAnswers, Calibrator } from "../calibration/Calibrator.ts"
import { estimatePromptTokens, listImages, type ParsedDecision } from "./parseDecisionRequest.ts"

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

const loadDecisionCaching = loadOnce(() => import("./decisionCaching.ts"))

const decisionHedging: HedgingTraits = { kind: "decision", isDefault: false }

type Target = RouteTarget<DecisionCapability>

export class DecisionWork implements RouteWork<
  DecisionCapability,
  CheckedReply,
  HttpClient.HttpClient
> {
  readonly #parsed: ParsedDecision
  readonly #calibrator: Calibrator | undefined

  constructor(parsed: ParsedDecision, calibrator: Calibrator | undefined) {
    this.#parsed = parsed
    this.#calibrator = calibrator
  }

  get hedging(): HedgingTraits {
    return decisionHedging
  }

  get caching(): Effect.Effect<AnswerCaching<CheckedReply>> {
    return Effect.map(loadDecisionCaching(), ({ makeDecisionCaching }) =>
      makeDecisionCaching(this.#parsed, (endpoint, reply) => this.#serve(endpoint, reply))
    )
  }

  prepareWorstCase(): Effect.Effect<void> {
    return this.#parsed.size.measure()
  }

  getWorstCase({ candidate, capability }: Target): TokenUsage {
    const { endpoint } = candidate
    const worst = capability.estimateWorstCase(new RoutedCall(this.#parsed, endpoint))
    return addImages(this.#parsed, addServerTools(worst, listUnaskedTools(candidate), endpoint))
  }

  getReadingBound({ candidate }: Target): number {
    return boundReading(listUnaskedTools(candidate), candidate.endpoint)
  }

  getUnreportedUsage({ candidate, capability }: Target): TokenUsage {
    const parsed = this.#parsed
    const worst = capability.estimateWorstCase(new RoutedCall(parsed, candidate.endpoint))
    const inputTokens = estimatePromptTokens(parsed.request, parsed.bytes)
    return addImages(parsed, {
      inputTokens: Math.min(inputTokens, worst.inputTokens),
      outputTokens: 0,
      requests: Math.min(1, getRequestCount(worst))
    })
  }

  run(
    { candidate, capability, credential }: Target,
    reports: AttemptReports
  ): Effect.Effect<Success, UpstreamFailure, HttpClient.HttpClient> {
    const parsed = this.#parsed
    const { endpoint } = candidate
    const call = new RoutedCall(parsed, endpoint, credential, (usage) =>
      reports.reportUsage(addImages(parsed, usage))
    )
    return Step.flatMap(capability.decide(call), (reply) => this.#serve(endpoint, reply))
  }

  #serve(endpoint: Endpoint, reply: DecisionReply): Effect.Effect<Success, UpstreamFailure> {
    const parsed = this.#parsed
    const calibrator = this.#calibrator
    const checked = checkReply(parsed.request.questions, reply)
    if (Result.isFailure(checked)) return Effect.fail(checked.failure)
    const success: { -readonly [K in keyof Success]: Success[K] } = {
      value:
        calibrator === undefined
          ? { answers: checked.success, reply }
          : calibrateReply(parsed, calibrator, checked.success, reply, endpoint),
      usage: addImages(parsed, reply.usage)
    }
    if (reply.cost !== undefined) success.cost = reply.cost
    if (reply.model !== undefined) success.model = reply.model
    const servedAs = findServedAs(endpoint, reply)
    if (servedAs !== undefined) success.servedAs = servedAs
    return Effect.succeed(success)
  }
}

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

/** As of a chat: what is computed on access is an own property, so that a copy has it, too. */
class RoutedCall implements DecisionCall {
  readonly model: string
  readonly state: DecisionCall["state"]
  readonly questions: DecisionCall["questions"]
  readonly supportedParameters: DecisionCall["supportedParameters"]
  readonly onUsage: DecisionCall["onUsage"]
  declare readonly contentBytes: number
  declare readonly credential?: NonNullable<DecisionCall["credential"]>
  declare readonly serviceTier?: NonNullable<DecisionCall["serviceTier"]>
  readonly #parsed: ParsedDecision

  constructor(
    parsed: ParsedDecision,
    { supportedParameters, tier, upstreamModel }: Endpoint,
    credential?: DecisionCall["credential"],
    onUsage: DecisionCall["onUsage"] = constVoid
  ) {
    const { questions, state } = parsed.request
    this.model = upstreamModel
    this.state = state
    this.questions = questions
    this.supportedParameters = supportedParameters
    this.onUsage = onUsage
    this.#parsed = parsed
    Object.defineProperty(this, "contentBytes", RoutedCall.#contentBytes)
    if (credential !== undefined) this.credential = credential
    if (tier !== "default" && (supportedParameters?.has("service_tier") ?? true)) {
      this.serviceTier = tier
    }
  }

  static readonly #contentBytes = {
    enumerable: true,
    get(this: RoutedCall): number {
      return this.#parsed.size.get()
    }
  }
}

/** Checks that a reply answers exactly the questions of the request; partial replies are rejected. */
export const checkReply = (
  questions: Questions,
  { cost, model, usage, verdicts }: DecisionReply
): Result.Result<Answers, UpstreamFailure> => {
  const { inputTokens, outputTokens } = usage
  if (!isCount(inputTokens) || !isCount(outputTokens) || !isCount(getRequestCount(usage))) {
    return failInvalid("a token count is not a whole number")
  }
  if (cost !== undefined && cost < 0n) return failInvalid("a cost below 0", usage)
  if (model !== undefined && model.length > maxModelCharacters)
    return failInvalid("its model has no real name", usage)
  const answers: Record<string, Answer> = {}
  const names = Object.keys(questions)
  for (const name of names) {
    const verdict = verdicts.get(name)
    if (verdict === undefined) return failInvalid(`no answer to "${name}"`, usage)
    const answer = deriveAnswer(questions[name]!, verdict)
    if (Result.isFailure(answer)) return failInvalid(`"${name}": ${answer.failure}`, usage)
    setOwn(answers, name, answer.success)
  }
  if (verdicts.size > names.length)
    return failInvalid("an answer to a question that was not asked", usage)
  return Result.succeed(answers)
}

/** `usage` is left out when it is not valid. */
const failInvalid = (detail: string, usage?: DecisionReply["usage"]) =>
  Result.fail(
    new UpstreamFailure({
      kind: "invalid_answer",
      detail,
      ...(usage === undefined ? undefined : { usage })
    })
  )

/** The name is shown to callers and stored, so its length is bounded. */
const maxModelCharacters = 256

const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0
