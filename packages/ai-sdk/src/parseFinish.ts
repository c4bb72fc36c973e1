/** Reads why an answer ended. */
import type { LanguageModelV4FinishReason } from "@ai-sdk/provider"
import type { AnswerEnd } from "@signalbox/core/dialects"
import { type TokenUsage, UpstreamFailure } from "@signalbox/core/upstream"
import { isObject } from "./isObject.ts"

/** What is known about the answer when it ends. */
export interface Answered {
  readonly hasCalls: boolean
  readonly hasContent: boolean
  readonly usage: TokenUsage | undefined
}

/** An answer that broke off, or says nothing and gives no reason for it, is a failure. */
export const parseFinish = (
  finish: LanguageModelV4FinishReason | undefined,
  { hasCalls, hasContent, usage }: Answered
): AnswerEnd | UpstreamFailure => {
  const counted = usage === undefined ? undefined : { usage }
  // Providers are code of others: their values are checked like JSON.
  const { raw, unified } = isObject(finish) ? finish : {}
  const native =
    typeof raw === "string" && raw !== "" ? { nativeReason: raw.slice(0, maxLength) } : undefined
  if (unified === "error" || raw === "error") {
    const detail = "the answer reports an error"
    return new UpstreamFailure({ kind: "server_error", detail, ...counted })
  }
  if (unified === "interrupted") return toInvalid("the answer broke off", usage)
  const reason = typeof unified === "string" ? reasons.get(unified) : undefined
  if (!hasContent && reason === undefined) return toInvalid("the answer is empty", usage)
  if (hasCalls && (reason ?? "stop") === "stop") return { reason: "tool_calls", ...native }
  return { reason: reason ?? "stop", ...native }
}

/** Such words are stored. */
const maxLength = 256

/** Any other reason ends an answer too. */
const reasons: ReadonlyMap<string, AnswerEnd["reason"]> = new Map([
  ["stop", "stop"],
  ["length", "length"],
  ["content-filter", "content_filter"],
  ["tool-calls", "tool_calls"]
])

export const toInvalid = (detail: string, usage?: TokenUsage): UpstreamFailure =>
  new UpstreamFailure({
    kind: "invalid_answer",
    detail,
    ...(usage === undefined ? undefined : { usage })
  })
