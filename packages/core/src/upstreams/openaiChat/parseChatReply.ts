/** Parses an untrusted chat answer in OpenAI's dialect. */
import * as Result from "effect/Result"
import type { ChatChoice, ChatMessage, ChatServingInfo, ChatReply } from "../ChatCapability.ts"
import { findEmbeddedFailure } from "../failures/findEmbeddedFailure.ts"
import { isObject } from "../../values/json/isObject.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import { type CostParser, parseChatUsage } from "./parseChatUsage.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"

/** The answer in `json`, or the error in it, with the usage if it is reported. */
export const parseChatReply = (
  json: unknown,
  parseCost?: CostParser
): Result.Result<ChatReply, UpstreamFailure> => {
  if (!isObject(json)) return Result.fail(toInvalidAnswer("the answer is not a JSON object"))
  const report = parseChatUsage(json["usage"], parseCost)
  const inside = findEmbeddedFailure(json, report.usage)
  if (inside !== undefined) return Result.fail(inside)
  const { choices: found, id, model } = json
  if (!Array.isArray(found) || found.length === 0) {
    return Result.fail(toInvalidAnswer("the answer holds no choice", report.usage))
  }
  if (found.length > maxChoices)
    return Result.fail(toInvalidAnswer(tooManyChoicesMessage, report.usage))
  const choices: Array<ChatChoice> = []
  for (let position = 0; position < found.length; position++) {
    const each: unknown = found[position]
    const failure = findChoiceFailure(each, report.usage)
    if (failure !== undefined) return Result.fail(failure)
    const choice = parseChoice(each, position)
    if (choice === undefined) {
      return Result.fail(toInvalidAnswer(`choice ${position + 1} holds no message`, report.usage))
    }
    choices.push(choice)
  }
  return Result.succeed({
    choices,
    ...report,
    ...parseServingInfo(json),
    ...(isShortText(id) ? { id } : undefined),
    ...(isNonEmptyText(model) ? { model } : undefined)
  })
}

/** More than any provider returns; bounded because state is kept for each choice. */
export const maxChoices = 1_024

export const tooManyChoicesMessage = `the answer holds more than ${maxChoices} choices`

export const parseServingInfo = ({
  service_tier,
  system_fingerprint
}: Readonly<Record<string, unknown>>): ChatServingInfo => ({
  ...(isShortText(system_fingerprint) ? { systemFingerprint: system_fingerprint } : undefined),
  ...(isShortText(service_tier) ? { serviceTier: service_tier } : undefined)
})

/** Values that are repeated in every chunk, or stored in the record, must be short. */
export const isShortText = (value: unknown): value is string =>
  isNonEmptyText(value) && value.length <= 256

/** An error in one choice fails the whole answer, because the other choices may be incomplete. */
export const findChoiceFailure = (
  choice: unknown,
  usage: ChatReply["usage"]
): UpstreamFailure | undefined => {
  if (!isObject(choice)) return undefined
  const inside = findEmbeddedFailure(choice, usage)
  if (inside !== undefined || choice["finish_reason"] !== "error") return inside
  const detail = "the answer reports an error"
  return new UpstreamFailure({ kind: "server_error", detail, ...omitUndefined({ usage }) })
}

/** An empty reason counts as none, because some providers send it with every chunk. */
export const parseFinishReasons = ({
  finish_reason,
  native_finish_reason
}: Readonly<Record<string, unknown>>): Pick<ChatChoice, "finishReason" | "nativeFinishReason"> => ({
  finishReason: isNonEmptyText(finish_reason) ? finish_reason : null,
  ...(isNonEmptyText(native_finish_reason)
    ? { nativeFinishReason: native_finish_reason }
    : undefined)
})

const isNonEmptyText = (value: unknown): value is string =>
  typeof value === "string" && value !== ""

export const parseIndex = (
  { index }: Readonly<Record<string, unknown>>,
  position: number
): number =>
  typeof index === "number" && Number.isSafeInteger(index) && index >= 0 && index < maxChoices
    ? index
    : position

const hasRole = (message: Readonly<Record<string, unknown>>): message is ChatMessage =>
  typeof message["role"] === "string"

const parseChoice = (choice: unknown, position: number): ChatChoice | undefined => {
  if (!isObject(choice) || !isObject(choice["message"])) return undefined
  const { logprobs, message } = choice
  return {
    index: parseIndex(choice, position),
    message: hasRole(message) ? message : { ...message, role: "assistant" },
    ...parseFinishReasons(choice),
    ...(logprobs === undefined || logprobs === null ? undefined : { logprobs })
  }
}

export const toInvalidAnswer = (detail: string, usage?: ChatReply["usage"]): UpstreamFailure =>
  new UpstreamFailure({ kind: "invalid_answer", detail, ...omitUndefined({ usage }) })
