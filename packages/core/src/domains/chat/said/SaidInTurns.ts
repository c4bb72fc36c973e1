/** The content of a chat that came by another API than OpenAI's chat API. */
import * as Result from "effect/Result"
import type { Conversation } from "../../../conversation/Conversation.ts"
import {
  findTurnFamilies,
  type ReasoningFamilies
} from "../../../dialects/chat/findReasoningFamilies.ts"
import { type ChatSettings, parseChatSettings } from "../../../dialects/chat/parseRequest.ts"
import { writeChatRequest } from "../../../dialects/chat/writeRequest.ts"
import { toCommonConversation } from "../../../dialects/toCommonConversation.ts"
import type { UntranslatableRequest } from "../../../dialects/UntranslatableRequest.ts"
import type { Opener } from "../../../routing/affinity/ConversationTraits.ts"
import { selectFields } from "../../../routing/parseRequest.ts"
import type { PromptMedium } from "../../../engine/upstreams/ChatFacts.ts"
import type { ChatBodyMessage } from "../../../engine/upstreams/openaiChat/ChatBody.ts"
import { limitConversation } from "./limitConversation.ts"
import type { Said } from "./Said.ts"
import {
  countTurnMessages,
  findTurnPrefill,
  listMediaParts,
  type MediaPart,
  toPromptMedia
} from "./turnFacts.ts"

type Json = Readonly<Record<string, unknown>>

export class SaidInTurns implements Said {
  readonly #read: Conversation | (() => Conversation)
  readonly #others: Json | undefined
  #made: Conversation | undefined
  #media: ReadonlyArray<MediaPart> | undefined
  #common: Conversation | undefined

  /**
   * `read` makes the conversation when it is first needed. `others` are settings that the caller wrote by their names in the
   * chat dialect, which take precedence.
   */
  constructor(read: Conversation | (() => Conversation), others?: Json) {
    this.#read = read
    this.#others = others
  }

  get #conversation(): Conversation {
    const read = this.#read
    return typeof read === "function" ? (this.#made ??= read()) : read
  }

  /** The conversation in a form that every dialect can express. */
  get #saidAnywhere(): Conversation {
    return (this.#common ??= toCommonConversation(this.#conversation))
  }

  countMessages(): number {
    return countTurnMessages(this.#conversation.turns)
  }

  get mediaParts(): ReadonlyArray<MediaPart> {
    return (this.#media ??= listMediaParts(this.#conversation.turns))
  }

  listMedia(): ReadonlyArray<PromptMedium> {
    return toPromptMedia(this.mediaParts)
  }

  findReasoningFamilies(): ReasoningFamilies {
    return findTurnFamilies(this.#conversation.turns)
  }

  findOpener(): Opener | undefined {
    const { turns } = this.#conversation
    const first = turns.find(({ role }) => role !== "system")
    if (first === undefined) return undefined
    const instruction = turns.find(({ role }) => role === "system")
    return {
      first: { content: first.parts },
      ...(instruction === undefined ? undefined : { instruction: { content: instruction.parts } })
    }
  }

  findPrefill(): number | undefined {
    return findTurnPrefill(this.#conversation.turns)
  }

  toMessages(): ReadonlyArray<ChatBodyMessage> {
    return writeChatRequest(this.#saidAnywhere, { takesToolImages: true }).messages
  }

  toConversation(
    parameters: Json,
    isLimited: boolean
  ): Result.Result<Conversation, UntranslatableRequest> {
    const said = this.#saidAnywhere
    const limited = isLimited ? limitConversation(said, parameters) : said
    const others = this.#others
    return others === undefined
      ? Result.succeed(limited)
      : Result.map(
          parseChatSettings(selectFields(parameters, (name) => Object.hasOwn(others, name))),
          (settings) => overrideSettings(limited, settings)
        )
  }
}

const overrideSettings = (
  conversation: Conversation,
  { sampling, stop, tools, ...settings }: ChatSettings
): Conversation => ({
  ...conversation,
  ...settings,
  sampling: { ...conversation.sampling, ...sampling },
  stop: stop.length === 0 ? conversation.stop : stop,
  tools: tools.length === 0 ? conversation.tools : tools
})
