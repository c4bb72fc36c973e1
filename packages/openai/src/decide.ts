/** Answers a Decision by the ladder: logprobs first, stated probabilities or bare choices for the rest. */
import {
  type DecisionCall,
  type DecisionReply,
  Settings,
  type TokenUsage,
  turnFor,
  UpstreamFailure,
  type Verdict
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { type AskedQuestion, askedQuestions } from "./askedQuestions.ts"
import { chosenWeights } from "./chosenWeights.ts"
import { type Call, type Conversation, type Endpoint, makeConversation } from "./Conversation.ts"
import { fencedState } from "./fencedState.ts"
import { firstJsonObject } from "./firstJsonObject.ts"
import type { KnownCall } from "./knownCall.ts"
import { identifiers, type LabelWeights, labelWeights } from "./labelWeights.ts"
import {
  discreteRequest,
  identifierRequest,
  listMethod,
  type Prepared,
  readsLogprobs,
  statedRequest
} from "./requests.ts"
import { statedWeights } from "./statedWeights.ts"

export const decide = (
  endpoint: Endpoint,
  call: KnownCall,
  minLabelMass: number
): Call<DecisionReply> =>
  Effect.suspend(() => {
    const conversation = makeConversation(endpoint, call)
    return Effect.mapError(climb(conversation, call, minLabelMass), (failure) => {
      const usage = conversation.usage()
      return usage === undefined ? failure : withUsage(failure, usage)
    })
  })

const climb: (
  conversation: Conversation,
  call: KnownCall,
  minLabelMass: number
) => Call<DecisionReply> = Effect.fnUntraced(function* (conversation, call, minLabelMass) {
  const { questionConcurrency } = yield* Settings
  // To write a large state takes a while.
  yield* turnFor(call.state)
  const prepared: Prepared = { call, state: yield* fencedState(call.state) }
  const asked = askedQuestions(call.questions)
  const verdicts = new Map<string, Verdict>(
    Object.keys(call.questions).map((name) => [name, { weights: [1] }])
  )

  const readable = asked.filter((each) => readsLogprobs(call, each))
  const reads = yield* Effect.forEach(
    readable,
    (each) => readIdentifier(conversation, prepared, each),
    { concurrency: questionConcurrency }
  )
  const read = new Set<AskedQuestion>()
  let labelMass: number | undefined
  for (const [i, each] of readable.entries()) {
    const found = reads[i]
    if (found === undefined) continue
    labelMass = Math.min(labelMass ?? 1, found.mass)
    if (found.mass === 0 || found.mass < minLabelMass) continue
    verdicts.set(each.name, { weights: found.weights })
    read.add(each)
  }

  const left = asked.filter((each) => !read.has(each))
  let method = readable.length > 0 ? "logprobs" : "single_option"
  if (left.length > 0) {
    const { weights, ...together } = yield* askTogether(conversation, prepared, left)
    method = together.method
    for (const [i, each] of left.entries()) verdicts.set(each.name, { weights: weights[i]! })
  }

  return {
    verdicts,
    usage: conversation.usage() ?? uncounted(call, readable.length + (left.length > 0 ? 1 : 0)),
    method,
    ...conversation.last(),
    ...(labelMass === undefined ? undefined : { labelMass })
  }
})

/** The distribution over the options of one question, absent when the endpoint sent no logprobs. */
const readIdentifier = (
  conversation: Conversation,
  prepared: Prepared,
  asked: AskedQuestion
): Call<LabelWeights | undefined> =>
  Effect.map(conversation.ask(identifierRequest(prepared, asked)), ({ firstToken }) =>
    firstToken === undefined
      ? undefined
      : labelWeights(identifiers(asked.options.length), firstToken)
  )

interface Together {
  readonly method: "stated" | "discrete"
  /** Of each question in the order asked. */
  readonly weights: ReadonlyArray<ReadonlyArray<number>>
}

/** Asks for all in one call; for bare choices in another, where a schema that was only assumed to be taken is refused. */
const askTogether = (
  conversation: Conversation,
  prepared: Prepared,
  asked: ReadonlyArray<AskedQuestion>
): Call<Together> => {
  const asking = askBy(listMethod(prepared.call), conversation, prepared, asked)
  return prepared.call.isAssumed === true
    ? Effect.catchIf(asking, isSchemaRefused, () =>
        askBy("discrete", conversation, prepared, asked)
      )
    : asking
}

/** Few say it by a code; any other bad request stays one. */
const isSchemaRefused = ({ detail = "", kind }: UpstreamFailure): boolean =>
  kind === "unsupported_parameter" ||
  (kind === "bad_request" && /response.?format|schema|structured/i.test(detail))

const askBy: (
  method: Together["method"],
  conversation: Conversation,
  prepared: Prepared,
  asked: ReadonlyArray<AskedQuestion>
) => Call<Together> = Effect.fnUntraced(function* (method, conversation, prepared, asked) {
  const stated = method === "stated"
  const answer = yield* conversation.ask(
    stated ? statedRequest(prepared, asked) : discreteRequest(prepared, asked)
  )
  const reply = firstJsonObject(answer.text)
  const weights =
    reply === undefined
      ? "the reply holds no JSON object"
      : (stated ? statedWeights : chosenWeights)(asked, reply)
  if (typeof weights !== "string") return { method, weights }
  return yield* new UpstreamFailure({
    kind: "invalid_answer",
    detail: answer.truncated ? `the reply was cut at the token limit; ${weights}` : weights
  })
})

/**
 * An endpoint that counts nothing must not be free where spending is limited: its tokens are taken to
 * be a byte each.
 */
const uncounted = ({ contentBytes }: DecisionCall, requests: number): TokenUsage => ({
  inputTokens: requests === 0 ? 0 : contentBytes,
  outputTokens: 0,
  requests
})

const withUsage = (failure: UpstreamFailure, usage: TokenUsage): UpstreamFailure =>
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
