/** Answers a Decision: by logprobs where possible, else by stated probabilities or discrete choices. */
import {
  type DecisionCall,
  type DecisionReply,
  Settings,
  type TokenUsage,
  yieldForValue,
  UpstreamFailure,
  type Verdict
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { type OpenQuestion, listOpenQuestions } from "./OpenQuestion.ts"
import { parseDiscreteWeights } from "./parseDiscreteWeights.ts"
import {
  type UpstreamEffect,
  type Conversation,
  type Endpoint,
  makeConversation
} from "./Conversation.ts"
import { fenceState } from "./fenceState.ts"
import { findJsonObject } from "./findJsonObject.ts"
import type { ResolvedCall } from "./ResolvedCall.ts"
import { listIdentifiers, type LabelWeights, toLabelWeights } from "./LabelWeights.ts"
import {
  toDiscreteRequest,
  toIdentifierRequest,
  chooseBatchMethod,
  type PreparedCall,
  canReadLogprobs,
  toProbabilityRequest
} from "./requests.ts"
import { parseProbabilityWeights } from "./parseProbabilityWeights.ts"

export const decide = (
  endpoint: Endpoint,
  call: ResolvedCall,
  minLabelMass: number
): UpstreamEffect<DecisionReply> =>
  Effect.suspend(() => {
    const conversation = makeConversation(endpoint, call)
    return Effect.mapError(decideByBestMethod(conversation, call, minLabelMass), (failure) => {
      const usage = conversation.getUsage()
      return usage === undefined ? failure : addUsage(failure, usage)
    })
  })

const decideByBestMethod: (
  conversation: Conversation,
  call: ResolvedCall,
  minLabelMass: number
) => UpstreamEffect<DecisionReply> = Effect.fnUntraced(
  function* (conversation, call, minLabelMass) {
    const { questionConcurrency } = yield* Settings
    // Serializing a large state blocks the event loop.
    yield* yieldForValue(call.state)
    const prepared: PreparedCall = { call, state: yield* fenceState(call.state) }
    const open = listOpenQuestions(call.questions)
    const verdicts = new Map<string, Verdict>(
      Object.keys(call.questions).map((name) => [name, { weights: [1] }])
    )

    const logprobQuestions = open.filter((each) => canReadLogprobs(call, each))
    const results = yield* Effect.forEach(
      logprobQuestions,
      (each) => askIdentifier(conversation, prepared, each),
      { concurrency: questionConcurrency }
    )
    const answered = new Set<OpenQuestion>()
    let labelMass: number | undefined
    for (const [i, each] of logprobQuestions.entries()) {
      const found = results[i]
      if (found === undefined) continue
      labelMass = Math.min(labelMass ?? 1, found.mass)
      if (found.mass === 0 || found.mass < minLabelMass) continue
      verdicts.set(each.name, { weights: found.weights })
      answered.add(each)
    }

    const remaining = open.filter((each) => !answered.has(each))
    let method = logprobQuestions.length > 0 ? "logprobs" : "single_option"
    if (remaining.length > 0) {
      const { weights, ...batch } = yield* askBatch(conversation, prepared, remaining)
      method = batch.method
      for (const [i, each] of remaining.entries()) verdicts.set(each.name, { weights: weights[i]! })
    }

    return {
      verdicts,
      usage:
        conversation.getUsage() ??
        estimateUsage(call, logprobQuestions.length + (remaining.length > 0 ? 1 : 0)),
      method,
      ...conversation.getMetadata(),
      ...(labelMass === undefined ? undefined : { labelMass })
    }
  }
)

/** The distribution over the options of one question, or undefined if the endpoint sent no logprobs. */
const askIdentifier = (
  conversation: Conversation,
  prepared: PreparedCall,
  question: OpenQuestion
): UpstreamEffect<LabelWeights | undefined> =>
  Effect.map(conversation.ask(toIdentifierRequest(prepared, question)), ({ firstTokenLogprobs }) =>
    firstTokenLogprobs === undefined
      ? undefined
      : toLabelWeights(listIdentifiers(question.options.length), firstTokenLogprobs)
  )

interface BatchAnswer {
  readonly method: "stated" | "discrete"
  /** For each question, in order. */
  readonly weights: ReadonlyArray<ReadonlyArray<number>>
}

/** Asks all questions in one call. If the endpoint rejects a schema that it was only assumed to support, asks for discrete choices. */
const askBatch = (
  conversation: Conversation,
  prepared: PreparedCall,
  questions: ReadonlyArray<OpenQuestion>
): UpstreamEffect<BatchAnswer> => {
  const asking = askBatchBy(chooseBatchMethod(prepared.call), conversation, prepared, questions)
  return prepared.call.isAssumed === true
    ? Effect.catchIf(asking, isSchemaRejected, () =>
        askBatchBy("discrete", conversation, prepared, questions)
      )
    : asking
}

/** Few endpoints have a code for this, so the message decides. */
const isSchemaRejected = ({ detail = "", kind }: UpstreamFailure): boolean =>
  kind === "unsupported_parameter" ||
  (kind === "bad_request" && /response.?format|schema|structured/i.test(detail))

const askBatchBy: (
  method: BatchAnswer["method"],
  conversation: Conversation,
  prepared: PreparedCall,
  questions: ReadonlyArray<OpenQuestion>
) => UpstreamEffect<BatchAnswer> = Effect.fnUntraced(
  function* (method, conversation, prepared, asked) {
    const asksProbabilities = method === "stated"
    const answer = yield* conversation.ask(
      asksProbabilities ? toProbabilityRequest(prepared, asked) : toDiscreteRequest(prepared, asked)
    )
    const reply = findJsonObject(answer.text)
    const weights =
      reply === undefined
        ? "the reply has no JSON object"
        : (asksProbabilities ? parseProbabilityWeights : parseDiscreteWeights)(asked, reply)
    if (typeof weights !== "string") return { method, weights }
    return yield* new UpstreamFailure({
      kind: "invalid_answer",
      detail: answer.isTruncated
        ? `the reply was truncated at the token limit; ${weights}`
        : weights
    })
  }
)

/**
 * An endpoint that reports no usage must not be free under a spending limit, so each byte counts as a token.
 */
const estimateUsage = ({ contentBytes }: DecisionCall, requests: number): TokenUsage => ({
  inputTokens: requests === 0 ? 0 : contentBytes,
  outputTokens: 0,
  requests
})

const addUsage = (failure: UpstreamFailure, usage: TokenUsage): UpstreamFailure =>
  new UpstreamFailure({
    kind: failure.kind,
    ...(failure.status === undefined ? undefined : { status: failure.status }),
    ...(failure.phase === undefined ? undefined : { phase: failure.phase }),
    ...(failure.retryAfterMillis === undefined
      ? undefined
      : { retryAfterMillis: failure.retryAfterMillis }),
    ...(failure.detail === undefined ? undefined : { detail: failure.detail }),
    usage
  })
