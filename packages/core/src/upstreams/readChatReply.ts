/** A whole chat answer in OpenAI's dialect, read without trusting any of it. */
import * as Result from "effect/Result"
import type { ChatChoice, ChatMarks, ChatReply } from "./ChatCapability.ts"
import { failureInside } from "./failureInside.ts"
import { isObject } from "./isObject.ts"
import { type CostOf, readChatUsage } from "./readChatUsage.ts"
import { UpstreamFailure } from "./UpstreamFailure.ts"

/** The answer in `json`, or the failure that stands in it, with what was used where it says so. */
export const readChatReply = (
  json: unknown,
  costOf?: CostOf
): Result.Result<ChatReply, UpstreamFailure> => {
  if (!isObject(json)) return Result.fail(invalid("the answer is no JSON object"))
  const report = readChatUsage(json["usage"], costOf)
  const inside = failureInside(json, report.usage)
  if (inside !== undefined) return Result.fail(inside)
  const { choices: found, id, model } = json
  if (!Array.isArray(found) || found.length === 0) {
    return Result.fail(invalid("the answer holds no choice", report.usage))
  }
  if (found.length > mostChoices) return Result.fail(invalid(tooManyChoices, report.usage))
  const choices: Array<ChatChoice> = []
  for (const [position, each] of found.entries()) {
    const failure = failureInChoice(each, report.usage)
    if (failure !== undefined) return Result.fail(failure)
    const choice = choiceOf(each, position)
    if (choice === undefined) {
      return Result.fail(invalid(`choice ${position + 1} holds no message`, report.usage))
    }
    choices.push(choice)
  }
  return Result.succeed({
    choices,
    ...report,
    ...marksOf(json),
    ...(isShort(id) ? { id } : undefined),
    ...(isWord(model) ? { model } : undefined)
  })
}

/** More than anybody answers at once: each is kept track of. */
export const mostChoices = 1_024

export const tooManyChoices = `the answer holds more than ${mostChoices} choices`

export const marksOf = ({
  service_tier,
  system_fingerprint
}: Readonly<Record<string, unknown>>): ChatMarks => ({
  ...(isShort(system_fingerprint) ? { systemFingerprint: system_fingerprint } : undefined),
  ...(isShort(service_tier) ? { serviceTier: service_tier } : undefined)
})

/** What is told with each piece, or kept with the record, is short or left out. */
export const isShort = (value: unknown): value is string => isWord(value) && value.length <= 256

/** An error of one choice spoils all: nobody could tell which of them are whole. */
export const failureInChoice = (
  choice: unknown,
  usage: ChatReply["usage"]
): UpstreamFailure | undefined => {
  if (!isObject(choice)) return undefined
  const inside = failureInside(choice, usage)
  if (inside !== undefined || choice["finish_reason"] !== "error") return inside
  return new UpstreamFailure({
    kind: "server_error",
    detail: "the answer reports an error",
    ...(usage === undefined ? undefined : { usage })
  })
}

/** An empty one is none: some send it with each piece. */
export const finishReasonsOf = ({
  finish_reason,
  native_finish_reason
}: Readonly<Record<string, unknown>>): Pick<ChatChoice, "finishReason" | "nativeFinishReason"> => ({
  finishReason: isWord(finish_reason) ? finish_reason : null,
  ...(isWord(native_finish_reason) ? { nativeFinishReason: native_finish_reason } : undefined)
})

const isWord = (value: unknown): value is string => typeof value === "string" && value !== ""

export const indexOf = ({ index }: Readonly<Record<string, unknown>>, position: number): number =>
  typeof index === "number" && Number.isSafeInteger(index) && index >= 0 && index < mostChoices
    ? index
    : position

const choiceOf = (choice: unknown, position: number): ChatChoice | undefined => {
  if (!isObject(choice) || !isObject(choice["message"])) return undefined
  const { logprobs, message } = choice
  const { role } = message
  return {
    index: indexOf(choice, position),
    message: { ...message, role: typeof role === "string" ? role : "assistant" },
    ...finishReasonsOf(choice),
    ...(logprobs === undefined || logprobs === null ? undefined : { logprobs })
  }
}

export const invalid = (detail: string, usage?: ChatReply["usage"]): UpstreamFailure =>
  new UpstreamFailure({
    kind: "invalid_answer",
    detail,
    ...(usage === undefined ? undefined : { usage })
  })
