/** Reads what all untrusted answers of `:generateContent` have in common. */
import { parseGeminiUsage } from "@signalbox/core/dialects"
import { findEmbeddedFailure, type TokenUsage, UpstreamFailure } from "@signalbox/core/upstream"
import * as Result from "effect/Result"

export type Json = Readonly<Record<string, unknown>>

/** The first answer. */
export interface Content {
  readonly parts: ReadonlyArray<Json>
  /** Why it ended; undefined: it has not. */
  readonly finishReason: string | undefined
  /** Set when it ended because of its content. */
  readonly refusal: string | undefined
  readonly facts: AnswerFacts
}

/** What is known of an answer besides. */
export interface AnswerFacts {
  readonly usage?: TokenUsage
  readonly id?: string
  readonly model?: string
}

export const readContent = (json: unknown): Result.Result<Content, UpstreamFailure> => {
  if (!isObject(json)) return failInvalid("the answer is not a JSON object")
  const inside = findEmbeddedFailure(json)
  if (inside !== undefined) return Result.fail(inside)
  const [candidate] = toObjects(json["candidates"])
  const { promptFeedback } = json
  if (candidate === undefined) {
    return isObject(promptFeedback) && isText(promptFeedback["blockReason"])
      ? failRefused(promptFeedback["blockReason"])
      : failInvalid("the answer holds no candidate")
  }
  const { content, finishMessage, finishReason } = candidate
  const reason = isText(finishReason) ? finishReason : undefined
  return Result.succeed({
    parts: toObjects(isObject(content) ? content["parts"] : undefined),
    finishReason: reason,
    refusal:
      reason !== undefined && refusals.test(reason)
        ? isText(finishMessage)
          ? finishMessage
          : reason
        : undefined,
    facts: readFacts(json)
  })
}

/** https://ai.google.dev/api/generate-content#FinishReason */
const refusals = /SAFETY|PROHIBITED|RECITATION|BLOCKLIST|SPII/

export const readFacts = ({ modelVersion, responseId, usageMetadata }: Json): AnswerFacts => {
  const { usage } = parseGeminiUsage(usageMetadata)
  return {
    ...(usage === undefined ? undefined : { usage }),
    ...(isText(responseId) ? { id: responseId } : undefined),
    ...(isText(modelVersion) ? { model: modelVersion } : undefined)
  }
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const toObjects = (value: unknown): ReadonlyArray<Json> =>
  Array.isArray(value) ? value.filter(isObject) : []

export const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

export const failInvalid = (detail: string): Result.Result<never, UpstreamFailure> =>
  Result.fail(new UpstreamFailure({ kind: "invalid_answer", detail }))

export const failRefused = (detail: string): Result.Result<never, UpstreamFailure> =>
  Result.fail(new UpstreamFailure({ kind: "content_refused", detail: detail.slice(0, 1_000) }))
