/** Makes the chat calls of one Decision, and sums what they used. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import { type TokenUsage, sumUsage } from "../../../values/usage/TokenUsage.ts"
import type { ChatCall, ChatCapability, ChatReply } from "../ChatCapability.ts"
import type { DecisionCall, DecisionReply } from "../DecisionCapability.ts"
import type { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { readAnswer, type TextAnswer } from "./readAnswer.ts"

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
