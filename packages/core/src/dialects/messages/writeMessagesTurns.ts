/** Writes turns as the system prompt and the messages of Anthropic's API. */
import * as Result from "effect/Result"
import type { Turn } from "../../conversation/Conversation.ts"
import { failTranslation } from "../failTranslation.ts"
import { markSystemText } from "../markSystemText.ts"
import { pairCalls } from "../pairCalls.ts"
import type { UntranslatableRequest } from "../UntranslatableRequest.ts"
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
): Written<WrittenTurns> =>
  Result.gen(function* () {
    const paired = yield* pairCalls(turns)
    const first = paired.findIndex(({ role }) => role !== "system")
    const leading = first === -1 ? paired : paired.slice(0, first)
    const system: Array<Json> = []
    for (const { parts } of leading) system.push(...(yield* writeUserBlocks(parts, options)))
    const written: Array<Message> = []
    for (const turn of first === -1 ? [] : paired.slice(first)) {
      written.push(yield* writeTurn(turn, options))
    }
    const messages = trimEnd(mergeMessages(placeSystem(mergeMessages(written), options)))
    if (messages.length === 0) {
      return yield* failTranslation(["messages"], "need a message of the user or the assistant")
    }
    return {
      system,
      messages: messages.map(({ content, fields, role }) => ({ role, content, ...fields }))
    }
  })

const writeTurn = ({ extra, parts, role }: Turn, options: TurnOptions): Written<Message> =>
  Result.map(
    role === "assistant" ? writeAssistantBlocks(parts, options) : writeUserBlocks(parts, options),
    (content): Message => ({
      role: role === "tool" ? "user" : role,
      content,
      fields: getExtraFields(extra)
    })
  )

/** The API takes no empty message, and one message of a role at a time. */
const mergeMessages = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const merged: Array<Message> = []
  for (const message of messages) {
    if (message.content.length === 0) continue
    const last = merged.at(-1)
    if (last?.role !== message.role) merged.push(message)
    else {
      merged[merged.length - 1] = {
        ...last,
        content: [...last.content, ...message.content],
        fields: { ...last.fields, ...message.fields }
      }
    }
  }
  return merged
}

/** Instructions may follow a message of the user only, and precede one of the assistant or nothing. */
const placeSystem = (
  messages: ReadonlyArray<Message>,
  { takesSystemTurns }: TurnOptions
): ReadonlyArray<Message> =>
  messages.map((message, at) => {
    const isInPlace =
      message.role !== "system" ||
      (takesSystemTurns && messages[at - 1]?.role === "user" && messages[at + 1]?.role !== "user")
    return isInPlace
      ? message
      : { ...message, role: "user", content: message.content.map(markBlock) }
  })

const markBlock = (block: Json): Json =>
  typeof block["text"] === "string" ? { ...block, text: markSystemText(block["text"]) } : block

/** White space at the end of a prefilled answer is rejected. */
const trimEnd = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const last = messages.at(-1)
  const block = last?.content.at(-1)
  if (last?.role !== "assistant" || typeof block?.["text"] !== "string") return messages
  const text = block["text"].trimEnd()
  const content = [...last.content.slice(0, -1), ...(text === "" ? [] : [{ ...block, text }])]
  return mergeMessages([...messages.slice(0, -1), { ...last, content }])
}
