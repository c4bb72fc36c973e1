/** How an answer ended, in the words of Effect's AI services. */
import type * as Response from "effect/ai/Response"
import type { ChatEnd } from "../domains/chat/ChatAnswer.ts"
import type { ChatServingInfo } from "../engine/upstreams/ChatCapability.ts"
import { omitUndefined } from "../values/omitUndefined.ts"
import type { TokenUsage } from "../values/usage/TokenUsage.ts"
import type { CallRecorder } from "../api/inProcess/CallRecorder.ts"
import type { ServingMetadata } from "./partMetadata.ts"
import { toRouting } from "./toRouting.ts"

/** What is known of an answer when its first piece has arrived. */
export interface AnswerHead extends ServingMetadata {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/** What is known of an answer when it is whole. */
export interface AnswerOutcome {
  readonly end: ChatEnd
  readonly marks: ChatServingInfo
  readonly finishReason: string | null
  readonly nativeFinishReason: string | undefined
  readonly hasCalls: boolean
}

export const writeResponseMetadata = ({
  generationId,
  model,
  provider,
  startedAt
}: AnswerHead): Response.ResponseMetadataPartEncoded => ({
  type: "response-metadata",
  id: generationId,
  modelId: model,
  timestamp: new Date(startedAt).toISOString(),
  metadata: { signalbox: { generationId, model, provider } }
})

export const writeFinish = (
  { generationId, model, provider }: AnswerHead,
  { end, finishReason, hasCalls, marks, nativeFinishReason }: AnswerOutcome,
  observer: CallRecorder
): Response.FinishPartEncoded => ({
  type: "finish",
  reason: toFinishReason(finishReason, hasCalls),
  usage: toUsage(end.tokens),
  metadata: {
    signalbox: {
      generationId,
      model,
      provider,
      ...omitUndefined({
        cost: end.usage.cost,
        isByok: end.usage.is_byok,
        upstreamCost: end.upstreamCost,
        routing: toRouting(observer),
        nativeFinishReason,
        systemFingerprint: marks.systemFingerprint,
        serviceTier: marks.serviceTier
      })
    }
  }
})

/** An answer that asks for calls ends with them, whatever word its provider has for that. */
const toFinishReason = (reason: string | null, hasCalls: boolean): Response.FinishReason => {
  switch (reason) {
    case "stop":
      return hasCalls ? "tool-calls" : "stop"
    case "length":
    case "error":
      return reason
    case "content_filter":
      return "content-filter"
    case "tool_calls":
    case "function_call":
      return "tool-calls"
    case null:
      return "unknown"
    default:
      return "other"
  }
}

/** Of all attempts, as it is charged. */
const toUsage = (tokens: TokenUsage | undefined): Response.FinishPartEncoded["usage"] => {
  if (tokens === undefined) return { inputTokens: {}, outputTokens: {} }
  const { cachedTokens, cacheWriteTokens, inputTokens, outputTokens, reasoningTokens } = tokens
  return {
    inputTokens: {
      total: inputTokens,
      uncached: inputTokens - (cachedTokens ?? 0) - (cacheWriteTokens ?? 0),
      ...omitUndefined({ cacheRead: cachedTokens, cacheWrite: cacheWriteTokens })
    },
    outputTokens: {
      total: outputTokens,
      ...(reasoningTokens === undefined
        ? undefined
        : { reasoning: reasoningTokens, text: outputTokens - reasoningTokens })
    }
  }
}
