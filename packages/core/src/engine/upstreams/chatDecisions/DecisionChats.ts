/** Makes the chat calls of one Decision, and sums what they used. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as HttpClient from "effect/http/HttpClient"
import { isObject } from "../../../values/json/guards.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import { sumUsage, type TokenUsage } from "../../../values/usage/TokenUsage.ts"
import type { ChatCall, ChatCapability, ChatReply } from "../ChatCapability.ts"
import type { DecisionCall, DecisionReply } from "../DecisionCapability.ts"
import { type FailureKind, UpstreamFailure } from "../failures/UpstreamFailure.ts"
import type { TopLogprob } from "./LabelWeights.ts"

export type UpstreamEffect<A> = Effect.Effect<A, UpstreamFailure, HttpClient.HttpClient>

export interface DecisionChats {
  readonly ask: (chatCall: ChatCall) => UpstreamEffect<TextAnswer>
  /** The sum over all answers so far, including refusals and errors; absent before the first report. */
  readonly getUsage: () => TokenUsage | undefined
  /** The id, model and service tier of the last answer, and the cost of all if each one has it. */
  readonly getMetadata: () => Pick<DecisionReply, "cost" | "id" | "model" | "serviceTier">
}

export const makeDecisionChats = (
  chat: ChatCapability,
  { onUsage }: DecisionCall
): DecisionChats => {
  let usage: TokenUsage | undefined
  let cost: NanoUsd.NanoUsd | undefined
  let isCostKnown = true
  const last: { -readonly [K in "id" | "model" | "serviceTier"]?: DecisionReply[K] } = {}
  const count = (more: TokenUsage | undefined): void => {
    if (more === undefined) return
    onUsage(more)
    usage = usage === undefined ? more : sumUsage(usage, more)
  }
  const countReply = ({ cost: more, id, model, serviceTier, usage }: ChatReply): void => {
    count(usage)
    if (more === undefined) isCostKnown = false
    else cost = NanoUsd.sum(cost ?? NanoUsd.zero, more)
    if (id !== undefined) last.id = id
    if (model !== undefined) last.model = model
    if (serviceTier !== undefined) last.serviceTier = serviceTier
  }
  return {
    ask: (chatCall) =>
      Effect.matchEffect(chat.complete(chatCall), {
        onSuccess: (reply) => {
          countReply(reply)
          return Effect.fromResult(readAnswer(reply))
        },
        onFailure: (failure) => {
          count(failure.usage)
          if (failure.usage !== undefined) isCostKnown = false
          return Effect.fail(failure)
        }
      }),
    getUsage: () => usage,
    getMetadata: () => (cost !== undefined && isCostKnown ? { ...last, cost } : last)
  }
}

/** The first choice of an answer. */
interface TextAnswer {
  /** Empty if the message has no text. */
  readonly text: string
  /** Whether the answer ended at the token limit. */
  readonly isTruncated: boolean
  /** The most probable first tokens, if the provider sent them. */
  readonly firstTokenLogprobs: ReadonlyArray<TopLogprob> | undefined
}

/** Fails if the model or a content filter refused, or the content is not text. */
const readAnswer = ({ choices }: ChatReply): Result.Result<TextAnswer, UpstreamFailure> => {
  const choice = choices[0]
  if (choice === undefined) return fail("invalid_answer", "the answer holds no choice")
  const { end, logprobs, parts } = choice.answer
  const content = choice.native?.["content"] ?? ""
  const refusal = parts.find((part) => part.type === "refusal")?.refusal ?? ""
  if (refusal !== "") return fail("content_refused", refusal)
  if (end.reason === "content_filter") {
    return fail("content_refused", "stopped by a content filter")
  }
  if (typeof content !== "string") {
    return fail("invalid_answer", "the content of the answer is not text")
  }
  return Result.succeed({
    text: parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    isTruncated: end.reason === "length",
    firstTokenLogprobs: findFirstTokenLogprobs(logprobs)
  })
}

const fail = (kind: FailureKind, detail: string): Result.Result<never, UpstreamFailure> =>
  Result.fail(new UpstreamFailure({ kind, detail: detail.slice(0, detailLimit) }))

/** Characters that are kept, so that an upstream cannot fill logs and records. */
const detailLimit = 500

const findFirstTokenLogprobs = (logprobs: unknown): ReadonlyArray<TopLogprob> | undefined => {
  const content = isObject(logprobs) ? logprobs["content"] : undefined
  const first: unknown = Array.isArray(content) ? content[0] : undefined
  const candidates = isObject(first) ? first["top_logprobs"] : undefined
  return isTopLogprobs(candidates) ? candidates : undefined
}

const isTopLogprobs = (candidates: unknown): candidates is ReadonlyArray<TopLogprob> =>
  Array.isArray(candidates) && candidates.length > 0 && candidates.every(isTopLogprob)

const isTopLogprob = (candidate: unknown): boolean =>
  isObject(candidate) &&
  typeof candidate["token"] === "string" &&
  Number.isFinite(candidate["logprob"])
