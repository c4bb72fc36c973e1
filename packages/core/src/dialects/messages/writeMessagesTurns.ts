/** Writes turns as the system prompt and the messages of Anthropic's API. */
import * as Result from "effect/Result"
import type { Turn } from "../../conversation/Conversation.ts"
import { setOwn } from "../../values/ownFields.ts"
import { askBySystem, markSystemText } from "../systemText.ts"
import { type UntranslatableRequest, failTranslation } from "../UntranslatableRequest.ts"
import { pairCalls } from "../pairCalls.ts"
import type { RequestChanges } from "../RequestChanges.ts"
import { emptyText, fillEmptyMessages, omitBlankTexts } from "./blankTexts.ts"
import { type BlockOptions, writeAssistantBlocks, writeUserBlocks } from "./writeBlocks.ts"
import { getExtraFields } from "./messagesFields.ts"

type Json = Readonly<Record<string, unknown>>
type Written<A> = Result.Result<A, UntranslatableRequest>

export interface TurnOptions extends BlockOptions {
  /** Whether instructions may stand between messages; else they become marked text of the user. */
  readonly takesSystemTurns: boolean
}

interface Message {
  readonly role: "assistant" | "system" | "user"
  readonly content: ReadonlyArray<Json>
  readonly fields: Json
}

export interface WrittenTurns {
  readonly system: ReadonlyArray<Json>
  readonly messages: ReadonlyArray<Json>
}

export const writeMessagesTurns = (
  turns: ReadonlyArray<Turn>,
  options: TurnOptions
): Written<WrittenTurns> => {
  const paired = pairCalls(askBySystem(omitBlankTexts(turns, options.changes), options.changes))
  if (Result.isFailure(paired)) return Result.fail(paired.failure)
  const system: Array<Json> = []
  const written: Array<Message> = []
  for (const turn of paired.success) {
    const message = writeTurn(turn, options)
    if (Result.isFailure(message)) return Result.fail(message.failure)
    const isLeading = turn.role === "system" && written.length === 0
    if (isLeading) system.push(...message.success.content)
    else written.push(message.success)
  }
  const filled = fillEmptyMessages(written, isEmptyMessage, (message) => {
    options.changes.add(["messages"])
    return { ...message, content: [{ type: "text", text: emptyText }] }
  })
  const messages = trimEnd(placeSystem(mergeMessages(filled), options), options.changes)
  return messages.length === 0
    ? failTranslation(["messages"], "need a message of the user or the assistant")
    : Result.succeed({
        system,
        messages: messages.map(({ content, fields, role }) => ({ role, content, ...fields }))
      })
}

const isEmptyMessage = ({ content }: Message): boolean => content.length === 0

const writeTurn = ({ extra, parts, role }: Turn, options: TurnOptions): Written<Message> => {
  const content =
    role === "assistant"
      ? Result.succeed(writeAssistantBlocks(parts, options))
      : writeUserBlocks(parts, options)
  return Result.isFailure(content)
    ? Result.fail(content.failure)
    : Result.succeed({
        role: role === "tool" ? "user" : role,
        content: content.success,
        fields: getExtraFields(extra)
      })
}

/** The API takes no empty message, and one message of a role at a time. */
const mergeMessages = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const merged: Array<Message> = []
  let content: Array<Json> = []
  let fields: Record<string, unknown> = {}
  for (const message of messages) {
    if (message.content.length === 0) continue
    if (merged.at(-1)?.role !== message.role) {
      content = []
      fields = {}
      merged.push({ role: message.role, content, fields })
    }
    // Added, not joined as lists: that would copy what came before with every message.
    for (const block of message.content) content.push(block)
    for (const name of Object.keys(message.fields)) setOwn(fields, name, message.fields[name])
  }
  return merged
}

/** Instructions may follow a message of the user only, and precede one of the assistant or nothing. */
const placeSystem = (
  messages: ReadonlyArray<Message>,
  { takesSystemTurns }: TurnOptions
): ReadonlyArray<Message> => {
  const isInPlace = ({ role }: Message, at: number): boolean =>
    role !== "system" ||
    (takesSystemTurns && messages[at - 1]?.role === "user" && messages[at + 1]?.role !== "user")
  if (messages.every(isInPlace)) return messages
  return mergeMessages(
    messages.map((message, at) =>
      isInPlace(message, at)
        ? message
        : { ...message, role: "user", content: message.content.map(markBlock) }
    )
  )
}

const markBlock = (block: Json): Json =>
  typeof block["text"] === "string" ? { ...block, text: markSystemText(block["text"]) } : block

/**
 * White space at the end of a prefilled answer is rejected: "final assistant content cannot end with trailing whitespace"
 * (https://github.com/tailcallhq/forgecode/issues/1872).
 */
const trimEnd = (
  messages: ReadonlyArray<Message>,
  changes: RequestChanges
): ReadonlyArray<Message> => {
  const last = messages.at(-1)
  const block = last?.content.at(-1)
  if (last?.role !== "assistant" || typeof block?.["text"] !== "string") return messages
  const text = block["text"].trimEnd()
  if (text === block["text"]) return messages
  changes.add(["messages"])
  const content = [...last.content.slice(0, -1), ...(text === "" ? [] : [{ ...block, text }])]
  return mergeMessages([...messages.slice(0, -1), { ...last, content }])
}
