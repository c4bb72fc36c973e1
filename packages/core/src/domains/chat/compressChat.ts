/**
 * Leaves messages out of the middle of a chat until an endpoint has room for it:
 * https://openrouter.ai/docs/guides/features/message-transforms.
 */
import * as Result from "effect/Result"
import type { Turn } from "../../conversation/Conversation.ts"
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import type { PromptMedium } from "../../engine/upstreams/ChatFacts.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { listMessages } from "../../engine/upstreams/openaiChat/ChatBody.ts"
import { listChatMedia } from "../../engine/upstreams/openaiChat/chatFacts.ts"
import type { PipelineStage } from "../../routing/PipelineStage.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { findLeftOut, type SaidItem, type Speaker } from "./findLeftOut.ts"
import { parseTurns, readTurns } from "./request/chatTexts.ts"
import {
  estimatePromptTokens,
  type NativeChat,
  type ParsedChat
} from "./request/parseChatRequest.ts"
import { SaidInMessages } from "./said/SaidInMessages.ts"
import { SaidInTurns } from "./said/SaidInTurns.ts"
import { listMediaParts, toPromptMedia } from "./said/turnFacts.ts"

export interface CompressedChat {
  readonly parsed: ParsedChat
  /** The places of the messages that are left out, such as `messages.3`. */
  readonly leftOut: ReadonlyArray<string>
  readonly stage: PipelineStage
}

/** Fails if what must stay is too long: instructions, the first message, and the last ones. */
export const compressChat = (
  parsed: ParsedChat,
  endpoint: Pick<Endpoint, "contextLength" | "maxCompletionTokens" | "maxPromptTokens">
): Result.Result<CompressedChat, UpstreamFailure> => {
  const { native, said } = parsed
  const inTurns = native.dialect === "chat" && said instanceof SaidInTurns ? said : undefined
  const name = native.dialect === "responses" ? "input" : "messages"
  const list = toList(native.body[name])
  const items =
    inTurns === undefined
      ? list.map((item) => toItem(native, name, item))
      : inTurns.turns.map(toTurnItem)
  const leftOut = findLeftOut(items, findExcess(parsed, endpoint))
  if (leftOut === undefined) return Result.fail(tooLong)
  const tokens = [...leftOut].reduce((sum, at) => sum + (items[at]?.tokens ?? 0), 0)
  const shortened = { ...parsed, inputTokens: Math.max(0, parsed.inputTokens - tokens) }
  const stage: PipelineStage = {
    type: "context_compression",
    name: "context-compression",
    summary: `left ${leftOut.size} of ${items.length} messages out`,
    data: { left_out: leftOut.size, messages: items.length }
  }
  if (inTurns !== undefined) {
    const edited = inTurns.withTurns(() => inTurns.turns.filter((_, at) => !leftOut.has(at)))
    return Result.succeed({
      parsed: {
        ...shortened,
        said: edited,
        native: {
          dialect: "chat",
          get body() {
            return { ...native.body, messages: edited.toMessages() }
          }
        }
      },
      leftOut: leftOut.size === 0 ? [] : [name],
      stage
    })
  }
  const kept = list.filter((_, at) => !leftOut.has(at))
  const body = { ...native.body, [name]: kept }
  return Result.succeed({
    parsed: {
      ...shortened,
      native: { ...native, body },
      said:
        said instanceof SaidInTurns
          ? said.withTurns(() => readTurns(native, body))
          : new SaidInMessages(listMessages(kept))
    },
    leftOut: Array.from(leftOut, (at) => `${name}.${at}`),
    stage
  })
}

/** By how many tokens the chat is too long. One without a cap gets room for an answer of an eighth of the context. */
const findExcess = (
  { inputTokens, maxOutputTokens }: ParsedChat,
  {
    contextLength = Infinity,
    maxCompletionTokens = Infinity,
    maxPromptTokens = Infinity
  }: Parameters<typeof compressChat>[1]
): number => {
  const answer = maxOutputTokens ?? Math.min(maxCompletionTokens, Math.floor(contextLength / 8))
  return inputTokens - Math.min(maxPromptTokens, contextLength - answer)
}

const tooLong = new UpstreamFailure({
  kind: "context_length",
  detail: "the prompt is too long, even without the messages that may be left out"
})

/** As the length of the whole prompt is estimated: media count alike at any length. */
const estimateItem = (item: unknown, media: ReadonlyArray<PromptMedium>): number =>
  estimatePromptTokens(media, new TextEncoder().encode(JSON.stringify(item)).length)

const toTurnItem = (turn: Turn): SaidItem => ({
  speaker: findTurnSpeaker(turn),
  tokens: estimateItem(turn, listTurnMedia([turn]))
})

const toItem = (native: NativeChat, name: string, item: unknown): SaidItem => ({
  speaker: findItemSpeaker(native.dialect, item),
  tokens: estimateItem(item, listItemMedia(native, name, item))
})

const listTurnMedia = (turns: ReadonlyArray<Turn>): ReadonlyArray<PromptMedium> =>
  toPromptMedia(listMediaParts(turns))

const listItemMedia = (
  native: NativeChat,
  name: string,
  item: unknown
): ReadonlyArray<PromptMedium> =>
  native.dialect === "chat"
    ? listChatMedia(listMessages([item]))
    : Result.match(parseTurns(native, { [name]: [item] }), {
        // What cannot be read is text.
        onFailure: () => [],
        onSuccess: listTurnMedia
      })

const turnSpeakers: Readonly<Record<Turn["role"], Speaker>> = {
  assistant: "model",
  system: "instruction",
  tool: "result",
  user: "user"
}

/** Says who speaks in an item of a conversation, in turns and in the words of each API. */
const findTurnSpeaker = ({ role }: Turn): Speaker => turnSpeakers[role]

/** What is unknown is an instruction: it stays. */
const findItemSpeaker = (dialect: NativeChat["dialect"], item: unknown): Speaker => {
  if (!isObject(item)) return "instruction"
  const { content, role, type } = item
  switch (dialect) {
    case "chat":
      return role === "tool" || role === "function" ? "result" : findRoleSpeaker(role)
    case "messages":
      return role === "user" && toList(content).some(isResult) ? "result" : findRoleSpeaker(role)
    case "responses":
      if (resultTypes.has(type)) return "result"
      return modelTypes.has(type) ? "model" : findRoleSpeaker(role)
  }
}

const findRoleSpeaker = (role: unknown): Speaker => {
  if (role === "assistant") return "model"
  return role === "user" ? "user" : "instruction"
}

const isResult = (block: unknown): boolean => isObject(block) && block["type"] === "tool_result"

/** https://platform.openai.com/docs/api-reference/responses/create#responses_create-input */
const resultTypes: ReadonlySet<unknown> = new Set([
  "apply_patch_call_output",
  "computer_call_output",
  "custom_tool_call_output",
  "function_call_output",
  "local_shell_call_output",
  "mcp_approval_response",
  "shell_call_output",
  "tool_search_output"
])

const modelTypes: ReadonlySet<unknown> = new Set([
  "apply_patch_call",
  "code_interpreter_call",
  "computer_call",
  "custom_tool_call",
  "file_search_call",
  "function_call",
  "image_generation_call",
  "item_reference",
  "local_shell_call",
  "mcp_approval_request",
  "mcp_call",
  "mcp_list_tools",
  "reasoning",
  "shell_call",
  "tool_search_call",
  "web_search_call"
])
