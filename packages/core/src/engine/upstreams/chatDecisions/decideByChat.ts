/** Answers a Decision: by logprobs where possible, else by stated probabilities or discrete choices. */
import * as Effect from "effect/Effect"
import { Settings } from "../../../instance/Settings.ts"
import type { Verdict } from "../../../questions/Answer.ts"
import { isObject } from "../../../values/json/guards.ts"
import { yieldForValue } from "../../../values/json/yieldToEventLoop.ts"
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import type { ChatCapability } from "../ChatCapability.ts"
import type { DecisionCall, DecisionReply } from "../DecisionCapability.ts"
import { UpstreamFailure, withFields } from "../failures/UpstreamFailure.ts"
import { type DecisionChats, makeDecisionChats, type UpstreamEffect } from "./DecisionChats.ts"
import {
  type LabelWeights,
  listIdentifiers,
  parseDiscreteWeights,
  parseProbabilityWeights,
  toLabelWeights
} from "./LabelWeights.ts"
import { listOpenQuestions, type OpenQuestion } from "./OpenQuestion.ts"
import { fenceState } from "./fenceState.ts"
import {
  canReadLogprobs,
  chooseBatchMethod,
  prepareCall,
  type PreparedCall,
  toDiscreteCall,
  toIdentifierCall,
  toProbabilityCall
} from "./requests.ts"

/** A chat that answers Decisions. */
export interface DecidingChat {
  readonly chat: ChatCapability
  /** The parameters of a model whose catalog does not list them. */
  readonly assume: (model: string) => ReadonlySet<string>
  readonly minLabelMass: number
}

export const decideByChat = (
  deciding: DecidingChat,
  call: DecisionCall
): UpstreamEffect<DecisionReply> =>
  Effect.suspend(() => {
    const chats = makeDecisionChats(deciding.chat, call)
    return Effect.mapError(decideByBestMethod(chats, deciding, call), (failure) => {
      const usage = chats.getUsage()
      return usage === undefined ? failure : withFields(failure, { usage })
    })
  })

const decideByBestMethod: (
  chats: DecisionChats,
  deciding: DecidingChat,
  call: DecisionCall
) => UpstreamEffect<DecisionReply> = Effect.fnUntraced(function* (
  chats,
  { assume, minLabelMass },
  call
) {
  const { questionConcurrency } = yield* Settings
  // Serializing a large state blocks the event loop.
  yield* yieldForValue(call.state)
  const supported = call.supportedParameters ?? assume(call.model)
  const prepared = prepareCall(call, supported, yield* fenceState(call.state))
  const open = listOpenQuestions(call.questions)
  const verdicts = new Map<string, Verdict>(
    Object.keys(call.questions).map((name) => [name, { weights: [1] }])
  )

  const logprobQuestions = open.filter((each) => canReadLogprobs(supported, each))
  const results = yield* Effect.forEach(
    logprobQuestions,
    (each) => askIdentifier(chats, prepared, each),
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
    const { weights, ...batch } = yield* askBatch(chats, prepared, remaining)
    method = batch.method
    for (const [i, each] of remaining.entries()) verdicts.set(each.name, { weights: weights[i]! })
  }

  return {
    verdicts,
    usage:
      chats.getUsage() ??
      estimateUsage(call, logprobQuestions.length + (remaining.length > 0 ? 1 : 0)),
    method,
    ...chats.getMetadata(),
    ...(labelMass === undefined ? undefined : { labelMass })
  }
})

/** The distribution over the options of one question, or undefined if the endpoint sent no logprobs. */
const askIdentifier = (
  chats: DecisionChats,
  prepared: PreparedCall,
  question: OpenQuestion
): UpstreamEffect<LabelWeights | undefined> =>
  Effect.map(chats.ask(toIdentifierCall(prepared, question)), ({ firstTokenLogprobs }) =>
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
  chats: DecisionChats,
  prepared: PreparedCall,
  questions: ReadonlyArray<OpenQuestion>
): UpstreamEffect<BatchAnswer> => {
  const asking = askBatchBy(chooseBatchMethod(prepared.supported), chats, prepared, questions)
  return prepared.call.supportedParameters === undefined
    ? Effect.catchIf(asking, isSchemaRejected, () =>
        askBatchBy("discrete", chats, prepared, questions)
      )
    : asking
}

/** Few endpoints have a code for this, so the message decides. */
const isSchemaRejected = ({ detail = "", kind }: UpstreamFailure): boolean =>
  kind === "unsupported_parameter" ||
  (kind === "bad_request" && /response.?format|schema|structured/i.test(detail))

const askBatchBy: (
  method: BatchAnswer["method"],
  chats: DecisionChats,
  prepared: PreparedCall,
  questions: ReadonlyArray<OpenQuestion>
) => UpstreamEffect<BatchAnswer> = Effect.fnUntraced(function* (method, chats, prepared, asked) {
  const asksProbabilities = method === "stated"
  const answer = yield* chats.ask(
    asksProbabilities ? toProbabilityCall(prepared, asked) : toDiscreteCall(prepared, asked)
  )
  const reply = findJsonObject(answer.text)
  const weights =
    reply === undefined
      ? "the reply has no JSON object"
      : (asksProbabilities ? parseProbabilityWeights : parseDiscreteWeights)(asked, reply)
  if (typeof weights !== "string") return { method, weights }
  return yield* new UpstreamFailure({
    kind: "invalid_answer",
    detail: answer.isTruncated ? `the reply was truncated at the token limit; ${weights}` : weights
  })
})

/**
 * An endpoint that reports no usage must not be free under a spending limit, so each byte counts as a token.
 */
const estimateUsage = ({ contentBytes }: DecisionCall, requests: number): TokenUsage => ({
  inputTokens: requests === 0 ? 0 : contentBytes,
  outputTokens: 0,
  requests
})

/** Limits the positions to try, so that a hostile reply cannot cost quadratic time. */
const maxAttempts = 16

/** Undefined if `text` has no JSON object. */
const findJsonObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  let start = text.indexOf("{")
  for (let attempt = 0; attempt < maxAttempts && start !== -1; attempt++) {
    const end = findClosingBrace(text, start)
    const parsed = end === -1 ? undefined : parseObject(text.slice(start, end + 1))
    if (parsed !== undefined) return parsed
    start = text.indexOf("{", start + 1)
  }
  return undefined
}

const parseObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** The position of the matching brace, or -1. Braces in strings do not count. */
const findClosingBrace = (text: string, start: number): number => {
  let depth = 0
  let quoted = false
  for (let i = start; i < text.length; i++) {
    const character = text[i]
    if (character === '"') quoted = !quoted
    else if (quoted) {
      if (character === "\\") i++
    } else if (character === "{") depth++
    else if (character === "}" && --depth === 0) return i
  }
  return -1
}
