/** Parses an untrusted chat answer in OpenAI's dialect. */
import * as Result from "effect/Result"
import type { AnswerEnd } from "../../conversation/Answer.ts"
import { findCitedCalls, sumCalls } from "../../conversation/serverTools/readsByItself.ts"
import { parseCount } from "../../values/usage/TokenUsage.ts"
import { parseChatAnswer } from "./parseChatAnswer.ts"
import type {
  ChatChoice,
  ChatServingInfo,
  ChatReply
} from "../../engine/upstreams/ChatCapability.ts"
import { findEmbeddedFailure } from "../../engine/upstreams/failures/findEmbeddedFailure.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { findRandom } from "../../engine/upstreams/callIdStems.ts"
import {
  AnswerReader,
  type AnswerReaderOptions,
  isUnusual,
  mayBeTagged,
  withoutLoneEnd,
  withReasoning
} from "./AnswerReader.ts"
import { mayBeginCall } from "./TextCalls.ts"
import { withPages, writeListedPages } from "./annotations.ts"
import { needsFinish, toFinish } from "./finishReasons.ts"
import {
  type CostParser,
  parseChatUsage
} from "../../engine/upstreams/openaiChat/parseChatUsage.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"

type Json = Readonly<Record<string, unknown>>

/** How the answers of a server are read. */
export interface ChatReadOptions extends Partial<
  Pick<AnswerReaderOptions, "isTool" | "keepsFunctionCall">
> {
  /** Whether an answer that begins with a thought in tags is split. */
  readonly readsThinkTags?: boolean
}

/** The answer in `json`, or the error in it, with the usage if it is reported. */
export const parseChatReply = (
  json: unknown,
  parseCost?: CostParser,
  options: ChatReadOptions = {}
): Result.Result<ChatReply, UpstreamFailure> => {
  if (!isObject(json)) return Result.fail(toInvalidAnswer("the answer is not a JSON object"))
  const report = parseChatUsage(findChatUsage(json), parseCost)
  const inside = findEmbeddedFailure(json, report.usage)
  if (inside !== undefined) return Result.fail(inside)
  const { choices: found, id, model } = json
  if (!Array.isArray(found) || found.length === 0) {
    return Result.fail(toInvalidAnswer("the answer holds no choice", report.usage))
  }
  if (found.length > maxChoices)
    return Result.fail(toInvalidAnswer(tooManyChoicesMessage, report.usage))
  const choices: Array<ChatChoice> = []
  const pages = writeListedPages(json)
  for (let position = 0; position < found.length; position++) {
    const each: unknown = found[position]
    const failure = findChoiceFailure(each, report.usage)
    if (failure !== undefined) return Result.fail(failure)
    const choice = parseChoice(each, position, pages, options)
    if (choice === undefined) {
      return Result.fail(toInvalidAnswer(`choice ${position + 1} holds no message`, report.usage))
    }
    choices.push(choice)
  }
  const reply: { -readonly [K in keyof ChatReply]: ChatReply[K] } = {
    choices,
    ...report,
    ...parseServingInfo(json)
  }
  const serverCalls = sumCalls(choices, findChoiceCalls)
  if (serverCalls !== undefined) reply.serverCalls = serverCalls
  if (isShortText(id)) reply.id = id
  if (isNonEmptyText(model)) reply.model = model
  return Result.succeed(reply)
}

const findChoiceCalls = ({ native = {} }: ChatChoice) => findCitedCalls(native["annotations"])

/**
 * Finds the usage in an answer of OpenAI's dialect, or in a chunk of one: `usage` itself, else the usage in `x_groq`
 * (https://console.groq.com/docs/api-reference), in a choice, as Moonshot streams it
 * (https://platform.kimi.ai/docs/api/chat), or the `timings` of llama.cpp, whose prompt excludes cached tokens
 * (https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md).
 */
export const findChatUsage = (json: Json): Json | undefined => {
  const { choices, timings, usage, x_groq: groq } = json
  if (isObject(usage)) return usage
  if (isObject(groq) && isObject(groq["usage"])) return groq["usage"]
  for (const choice of toList(choices)) {
    if (isObject(choice) && isObject(choice["usage"])) return choice["usage"]
  }
  return isObject(timings) ? fromTimings(timings) : undefined
}

const fromTimings = (timings: Json): Json | undefined => {
  const processed = parseCount(timings["prompt_n"])
  const predicted = parseCount(timings["predicted_n"])
  if (processed === undefined || predicted === undefined) return undefined
  const cached = parseCount(timings["cache_n"]) ?? 0
  return {
    prompt_tokens: processed + cached,
    completion_tokens: predicted,
    ...(cached === 0 ? undefined : { cached_tokens: cached })
  }
}

/** More than any provider returns; bounded because state is kept for each choice. */
export const maxChoices = 1_024

export const tooManyChoicesMessage = `the answer holds more than ${maxChoices} choices`

export const parseServingInfo = ({ service_tier, system_fingerprint }: Json): ChatServingInfo => ({
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
}: Json): Pick<AnswerEnd, "nativeReason" | "reason"> => ({
  reason: isNonEmptyText(finish_reason) ? finish_reason : null,
  ...(isNonEmptyText(native_finish_reason) ? { nativeReason: native_finish_reason } : undefined)
})

const isNonEmptyText = (value: unknown): value is string =>
  typeof value === "string" && value !== ""

export const parseIndex = ({ index }: Json, position: number): number =>
  typeof index === "number" && Number.isSafeInteger(index) && index >= 0 && index < maxChoices
    ? index
    : position

/** Some servers write a whole choice like a streamed one. */
const parseChoice = (
  choice: unknown,
  position: number,
  pages: ReadonlyArray<Json>,
  { isTool, keepsFunctionCall = false, readsThinkTags = false }: ChatReadOptions
): ChatChoice | undefined => {
  if (!isObject(choice)) return undefined
  const { delta, logprobs } = choice
  const written = isObject(choice["message"]) ? choice["message"] : delta
  if (!isObject(written)) return undefined
  const whole = readsThinkTags ? withoutLoneEnd(written) : written
  const isTagged = readsThinkTags && mayBeTagged(whole)
  const isCalled = isTool !== undefined && (isTagged || mayBeginCall(whole["content"]))
  const reader =
    isTagged || isCalled || isUnusual(whole)
      ? new AnswerReader({ random: findRandom(), keepsFunctionCall, isTool })
      : undefined
  if (isTagged) reader?.expectTags()
  if (isCalled) reader?.expectCalls()
  const read = withPages(
    withReasoning(reader === undefined ? whole : reader.readMessage(whole)),
    pages
  )
  const message = typeof read["role"] === "string" ? read : { ...read, role: "assistant" }
  const finish = parseFinishReasons(choice)
  const end =
    reader === undefined && !needsFinish(finish.reason)
      ? finish
      : toWholeFinish(finish, reader?.hasCalls === true, keepsFunctionCall)
  return {
    index: parseIndex(choice, position),
    answer: parseChatAnswer(message, end, logprobs),
    native: message
  }
}

const toWholeFinish = (
  finish: AnswerEnd,
  hasCalls: boolean,
  keepsFunctionCall: boolean
): AnswerEnd => {
  if (keepsFunctionCall && finish.reason === "function_call") return finish
  return finish.reason === null && hasCalls
    ? { ...finish, reason: "tool_calls" }
    : toFinish(finish, hasCalls)
}

export const toInvalidAnswer = (detail: string, usage?: ChatReply["usage"]): UpstreamFailure =>
  new UpstreamFailure({ kind: "invalid_answer", detail, ...omitUndefined({ usage }) })
