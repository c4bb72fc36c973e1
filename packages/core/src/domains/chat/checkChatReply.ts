/** Rejects replies without an answer, so that the router falls back. */
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import type { Part } from "../../conversation/Part.ts"
import type { ChatChoice, ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { isObject } from "../../values/json/guards.ts"
import { type SayableReader, unsayableFailure } from "./findUnsayable.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"

/** Some providers report an error as the finish reason. */
export const errorFinishFailure = new UpstreamFailure({
  kind: "server_error",
  detail: "the answer ended with an error"
})

export const emptyAnswerFailure = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the answer is empty"
})

export const isErrorReason = (reason: string | null | undefined): boolean => reason === "error"

/** `sayable`: what of it reaches its caller; undefined: all. */
export const checkChatReply = (
  reply: ChatReply,
  sayable: SayableReader | undefined
): Result.Result<ChatReply, UpstreamFailure> => {
  const { choices } = reply
  if (choices.some(({ answer }) => isErrorReason(answer.end.reason))) {
    return Result.fail(errorFinishFailure)
  }
  const isEmpty =
    isZeroCompletion(reply) && choices.every(({ answer }) => !answer.parts.some(hasContent))
  if (sayable?.hasOnlyOmitted() === true) return Result.fail(unsayableFailure)
  return isEmpty ? Result.fail(emptyAnswerFailure) : Result.succeed(reply)
}

/** An answer with neither output tokens nor a finish reason is not charged. */
export const isZeroCompletion = ({
  choices,
  usage
}: Pick<ChatReply, "choices" | "usage">): boolean =>
  (usage?.outputTokens ?? 0) === 0 &&
  choices.every(({ answer: { end } }) => end.reason === null || end.reason === "")

const hasContent = (part: Part): boolean => part.type !== "text" || part.text !== ""

/** A stored or background answer would be there twice, and so would the effects of tools that the provider runs. */
export const isRepeatable = ({ native, parameters }: ParsedChat): boolean =>
  native.neededAt === undefined &&
  (native.dialect === "chat" || isRepeatableNatively(native.body)) &&
  parameters["store"] !== true &&
  parameters["background"] !== true &&
  parameters["web_search_options"] === undefined &&
  !isListOf(parameters["tools"], isRunByProvider)

const isRepeatableNatively = (body: Readonly<Record<string, unknown>>): boolean =>
  body["store"] !== true && !isListOf(body["tools"], isNativelyRunByProvider)

const isListOf = (value: unknown, isWanted: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.some(isWanted)

const isRunByProvider = (tool: unknown): boolean =>
  isObject(tool) && tool["type"] !== "function" && tool["type"] !== "custom"

/** A tool of the Messages API without a type is one of the caller's own. */
const isNativelyRunByProvider = (tool: unknown): boolean =>
  isObject(tool) && tool["type"] !== undefined && isRunByProvider(tool)

/**
 * Compares the first choices: the names and arguments of the tools they call; else their texts, as JSON when both are, and
 * otherwise apart from blanks. Undefined when an answer has neither tools nor text.
 */
export const haveSameContent = (
  [one]: ReadonlyArray<ChatChoice>,
  [other]: ReadonlyArray<ChatChoice>
): boolean | undefined => {
  const [mine, theirs] = [toContent(one), toContent(other)]
  return mine === undefined || theirs === undefined ? undefined : Equal.equals(mine, theirs)
}

const toContent = (choice: ChatChoice | undefined): unknown => {
  if (choice === undefined) return undefined
  const { parts } = choice.answer
  const calls = parts.filter((part) => part.type === "call")
  if (calls.length > 0) {
    return calls.map(({ arguments: given, name }) => ({ name, arguments: toComparable(given) }))
  }
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  return text.trim() === "" ? undefined : toComparable(text)
}

const toComparable = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text.trim().replaceAll(/\s+/g, " ")
  }
}
