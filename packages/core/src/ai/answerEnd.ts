/** How an answer begins and ends, in the words of Effect's AI services. */
import type * as Response from "effect/ai/Response"
import type { ChatEnd } from "../domains/chat/ChatAnswer.ts"
import type { AnswerEnd } from "../conversation/Answer.ts"
import { toFinishReason } from "../dialects/parts/finishReason.ts"
import { toPartUsage } from "../dialects/parts/partUsage.ts"
import type { ChatServingInfo } from "../engine/upstreams/ChatCapability.ts"
import { omitUndefined } from "../values/ownFields.ts"
import type { CallRecorder } from "../api/inProcess/CallRecorder.ts"
import type { ServingMetadata } from "./partMetadata.ts"
import { toRouting } from "./toRouting.ts"

/** The facts of an answer that are known when its first piece has arrived. */
export interface AnswerHead extends ServingMetadata {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/** The facts of an answer that are known when it is whole. */
interface AnswerOutcome extends ChatEnd {
  readonly end: AnswerEnd
  readonly marks: ChatServingInfo
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
  { end, hasCalls, marks, tokens, upstreamCost, usage }: AnswerOutcome,
  observer: CallRecorder
): Response.FinishPartEncoded => ({
  type: "finish",
  reason: end.reason === null ? "unknown" : toFinishReason(end.reason, hasCalls),
  usage: toPartUsage(tokens),
  metadata: {
    signalbox: {
      generationId,
      model,
      provider,
      ...omitUndefined({
        cost: usage.cost,
        isByok: usage.is_byok,
        upstreamCost,
        routing: toRouting(observer),
        nativeFinishReason: end.nativeReason,
        systemFingerprint: marks.systemFingerprint,
        serviceTier: marks.serviceTier
      })
    }
  }
})
