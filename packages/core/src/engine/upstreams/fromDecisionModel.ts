/** Builds a Decision capability from any `effect/ai` DecisionModel. */
import type * as AiError from "effect/ai/AiError"
import type * as Decision from "effect/ai/Decision"
import type * as DecisionModel from "effect/ai/DecisionModel"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  type Guidance,
  type Question,
  type Questions,
  countOptions,
  listOptions
} from "../../questions/Question.ts"
import type { Verdict } from "../../questions/Answer.ts"
import type { DecisionCall, DecisionCapability } from "./DecisionCapability.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import { type FailureKind, UpstreamFailure } from "./failures/UpstreamFailure.ts"

/**
 * The Decision capability of `model`: a choice becomes `Classify`, a score `Rate`, a noul `Probability`. Build the
 * model without retries, because the router has fallbacks.
 */
export const fromDecisionModel = (model: DecisionModel.DecisionModel): DecisionCapability => ({
  decide: Effect.fnUntraced(function* (call) {
    // Loaded only by hosts with a model of `effect/ai`.
    const { TypeId } = yield* Effect.promise(() => import("effect/ai/Decision"))
    const definition = {
      [TypeId]: TypeId,
      input: Schema.Unknown,
      decisions: toDecisions(call.questions)
    } satisfies Decision.Definition<typeof Schema.Unknown, Record<string, Decision.Any>>
    const response = yield* model
      .decide(definition, { input: call.state })
      .pipe(Effect.mapError(toFailure))
    const verdicts = new Map<string, Verdict>()
    for (const [name, question] of Object.entries(call.questions)) {
      const verdict = toVerdict(question, response.answers[name])
      if (verdict !== undefined) verdicts.set(name, verdict)
    }
    return {
      verdicts,
      usage: {
        // A model that reports no usage must not be free while spending is limited, so a byte counts as a token.
        inputTokens: response.usage.inputTokens ?? call.contentBytes,
        outputTokens: response.usage.outputTokens ?? 0
      },
      method: "native",
      ...(response.modelId === undefined ? undefined : { model: response.modelId })
    }
  }),
  // The model has the credential that the host built it with.
  ignoresCredentials: true,
  estimateWorstCase
})

/**
 * A model reads the content once, and answers with names, labels and a few numbers for each at most. The constants
 * leave room for the prompt and the format of the model.
 */
const estimateWorstCase = ({ contentBytes, questions }: DecisionCall): TokenUsage => {
  const allQuestions = Object.values(questions)
  const options = allQuestions.reduce((sum, question) => sum + countOptions(question), 0)
  const tokens = contentBytes + 512 + 128 * allQuestions.length + 32 * options
  return { inputTokens: tokens, outputTokens: tokens }
}

const toDecisions = (questions: Questions): Record<string, Decision.Any> =>
  Object.fromEntries(
    Object.entries(questions).map(([name, question]) => [name, toDecision(question)])
  )

/** Plain objects, because the constructors reject a single label or level, which the HTTP API allows. */
const toDecision = (question: Question): Decision.Any => {
  const instructions = toDescription(question.instructions)
  switch (question.type) {
    case "noul":
      return question.criteria === undefined
        ? { _tag: "Probability", instructions }
        : {
            _tag: "Probability",
            instructions,
            criteria: {
              true: toDescription(question.criteria.true),
              false: toDescription(question.criteria.false)
            }
          }
    case "choice":
      return {
        _tag: "Classify",
        instructions,
        criteria: Object.fromEntries(
          listOptions(question).map(({ guidance, label }) => [
            label,
            guidance === null ? null : toDescription(guidance)
          ])
        )
      }
    case "score":
      return {
        _tag: "Rate",
        instructions,
        criteria: question.criteria.map((guidance, level) => ({
          label: String(level),
          description: toDescription(guidance)
        }))
      }
  }
}

const isDescription = Schema.is(
  Schema.Union([
    Schema.String,
    Schema.Record(Schema.String, Schema.Json),
    Schema.Array(Schema.Json)
  ])
)

const toDescription = (guidance: Guidance): Decision.Description =>
  isDescription(guidance) ? guidance : JSON.stringify(guidance)

const toVerdict = (
  question: Question,
  answer: Decision.Answer<Decision.Any> | undefined
): Verdict | undefined => {
  if (answer === undefined) return undefined
  if ("probability" in answer) return { weights: [answer.probability, 1 - answer.probability] }
  if (!("probabilities" in answer)) return undefined
  const { probabilities } = answer
  return {
    weights: listOptions(question).map(({ label }) => probabilities[label] ?? Number.NaN),
    native: {
      ...("rating" in answer ? { score: answer.rating } : { choice: answer.label }),
      ...(answer.confidence === undefined ? undefined : { confidence: answer.confidence })
    }
  }
}

const toFailure = (error: AiError.AiError): UpstreamFailure => {
  const { reason } = error
  const wait = "retryAfter" in reason ? reason.retryAfter : undefined
  const retryAfterMillis = wait === undefined ? Number.NaN : Duration.toMillis(wait)
  return new UpstreamFailure({
    kind: kindByReason[reason._tag],
    detail: error.message.slice(0, 500),
    ...(Number.isFinite(retryAfterMillis) ? { retryAfterMillis } : undefined)
  })
}

const kindByReason: Readonly<Record<AiError.AiErrorReason["_tag"], FailureKind>> = {
  RateLimitError: "rate_limited",
  QuotaExhaustedError: "credential_refused",
  AuthenticationError: "credential_refused",
  ContentPolicyError: "content_refused",
  InvalidRequestError: "bad_request",
  InvalidUserInputError: "bad_request",
  InvalidResponseError: "invalid_answer",
  InvalidOutputError: "invalid_answer",
  StructuredOutputError: "invalid_answer",
  UnsupportedSchemaError: "unsupported_parameter",
  NetworkError: "unreachable",
  InternalProviderError: "server_error",
  UnknownError: "server_error",
  ToolNotFoundError: "invalid_answer",
  ToolParameterValidationError: "invalid_answer",
  InvalidToolResultError: "invalid_answer",
  ToolResultEncodingError: "invalid_answer",
  ToolConfigurationError: "bad_request",
  ToolkitRequiredError: "bad_request"
}
