/**
 * The content of a chat in OpenAI's dialect: its messages, which are parsed only if a provider of another dialect gets
 * them.
 */
import * as Result from "effect/Result"
import type { Conversation, Turn } from "../../../conversation/Conversation.ts"
import { parseChatSettings } from "../../../dialects/chat/parseRequest.ts"
import {
  findReasoningFamilies,
  type ReasoningFamilies
} from "../../../dialects/chat/findReasoningFamilies.ts"
import { parseTurns } from "../../../dialects/chat/parseTurns.ts"
import type { UntranslatableRequest } from "../../../dialects/UntranslatableRequest.ts"
import type { Opener } from "../../../routing/affinity/ConversationTraits.ts"
import type { PromptMedium } from "../../../engine/upstreams/ChatFacts.ts"
import type { ChatBodyMessage } from "../../../engine/upstreams/openaiChat/ChatBody.ts"
import { listChatMedia } from "../../../engine/upstreams/openaiChat/chatFacts.ts"
import { repairMessages } from "../../../dialects/chat/repairMessages.ts"
import { isObject } from "../../../values/json/guards.ts"
import type { Said } from "./Said.ts"

type Messages = ReadonlyArray<ChatBodyMessage>

export class SaidInMessages implements Said {
  readonly #messages: Messages
  #turns: Result.Result<ReadonlyArray<Turn>, UntranslatableRequest> | undefined

  constructor(messages: Messages) {
    this.#messages = messages
  }

  countMessages(): number {
    return this.#messages.length
  }

  listMedia(): ReadonlyArray<PromptMedium> {
    return listChatMedia(this.#messages)
  }

  findReasoningFamilies(): ReasoningFamilies {
    return findReasoningFamilies(this.#messages)
  }

  findOpener(): Opener | undefined {
    const first = this.#messages.find((message) => !isInstruction(message))
    if (first === undefined) return undefined
    const instruction = this.#messages.find(isInstruction)
    return {
      first: { content: first["content"] },
      ...(instruction === undefined
        ? undefined
        : { instruction: { content: instruction["content"] } })
    }
  }

  findPrefill(): number | undefined {
    for (let index = this.#messages.length - 1; index >= 0; index--) {
      const message = this.#messages[index]
      if (message?.role !== "assistant" || hasCalls(message["tool_calls"])) return undefined
      if (saysSomething(message["content"])) return index
    }
    return undefined
  }

  toMessages(): Messages {
    return this.#messages
  }

  toConversation(
    parameters: Readonly<Record<string, unknown>>
  ): Result.Result<Conversation, UntranslatableRequest> {
    const settings = parseChatSettings(parameters)
    if (Result.isFailure(settings)) return Result.fail(settings.failure)
    const turns = (this.#turns ??= parseTurns(repairMessages(this.#messages)))
    return Result.map(turns, (said) => ({ turns: said, ...settings.success }))
  }
}

const isInstruction = ({ role }: ChatBodyMessage): boolean =>
  role === "system" || role === "developer"

const hasCalls = (calls: unknown): boolean => Array.isArray(calls) && calls.length > 0

const saysSomething = (content: unknown): boolean => {
  if (typeof content === "string") return /\S/.test(content)
  return Array.isArray(content) && content.some((part: unknown) => !isBlankText(part))
}

const isBlankText = (part: unknown): boolean =>
  isObject(part) &&
  part["type"] === "text" &&
  typeof part["text"] === "string" &&
  !/\S/.test(part["text"])
