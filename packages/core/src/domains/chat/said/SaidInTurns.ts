/** The content of a chat that came by another API than OpenAI's chat API. */
import * as Result from "effect/Result"
import type { Conversation } from "../../../conversation/Conversation.ts"
import type { PlainTexts, UnreadConversation } from "../../../dialects/PlainTexts.ts"
import { isEmpty, type UntranslatableRequest } from "../../../dialects/UntranslatableRequest.ts"
import {
  findTurnFamilies,
  type ReasoningFamilies
} from "../../../dialects/chat/findReasoningFamilies.ts"
import { outputCapNames } from "../../../dialects/chat/outputCap.ts"
import {
  type ChatSettings,
  parseChatSettings,
  samplingNames
} from "../../../dialects/chat/parseRequest.ts"
import { reasoningNames } from "../../../dialects/chat/reasoningParameters.ts"
import { writeChatRequest } from "../../../dialects/chat/writeRequest.ts"
import { toCommonConversation } from "../../../dialects/toCommonConversation.ts"
import type { PromptMedium } from "../../../engine/upstreams/ChatFacts.ts"
import type { ChatBodyMessage } from "../../../engine/upstreams/openaiChat/ChatBody.ts"
import type { Opener } from "../../../routing/affinity/ConversationTraits.ts"
import { selectFields } from "../../../routing/parseRequest.ts"
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

  /** What was said, with the settings of the chat. */
  get turns(): Conversation["turns"] {
    return this.#conversation.turns
  }

  /** The same chat in which something else was said. */
  withTurns(read: () => Conversation["turns"]): SaidInTurns {
    return new SaidInTurns(
      (): Conversation => ({ ...this.#conversation, turns: read() }),
      this.#others
    )
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

type Mutable<A> = { -readonly [K in keyof A]: A[K] }

/** The settings that a conversation does without, and the parameters that say them. */
const names = {
  answers: ["n"],
  cache: ["cache_control"],
  format: ["response_format"],
  logprobs: ["logprobs"],
  parallelCalls: ["parallel_tool_calls"],
  reasoning: reasoningNames,
  toolChoice: ["tool_choice", "function_call"],
  verbosity: ["verbosity"]
} as const satisfies Partial<Record<keyof Conversation, ReadonlyArray<string>>>

const settings = Object.keys(names) as ReadonlyArray<keyof typeof names>

/**
 * The conversation without the parameters that are missing from `sent`, because the endpoint does not support them. The
 * cap and the service tier come from `sent`, because the endpoint may sell another tier.
 */
export const limitConversation = (conversation: Conversation, sent: Json): Conversation => {
  const limited: Mutable<Conversation> = { ...conversation }
  const has = (name: string): boolean => Object.hasOwn(sent, name)
  for (const name of settings) if (!names[name].some(has)) delete limited[name]
  if (limited.logprobs !== undefined && !has("top_logprobs")) limited.logprobs = { top: 0 }
  if (!has("tools") && !has("functions")) limited.tools = []
  if (!has("stop")) limited.stop = []
  limited.sampling = limitSampling(conversation.sampling, has)
  const { service_tier: tier } = sent
  delete limited.serviceTier
  if (typeof tier === "string") limited.serviceTier = tier
  const cap = Math.min(...outputCapNames.map((name) => toNumber(sent[name])))
  delete limited.maxOutputTokens
  if (cap !== Infinity) limited.maxOutputTokens = cap
  if (limited.extra?.dialect === "chat") {
    const fields = Object.fromEntries(
      Object.entries(limited.extra.fields).filter(([name]) => has(name))
    )
    if (isEmpty(fields)) delete limited.extra
    else limited.extra = { dialect: "chat", fields }
  }
  return limited
}

const limitSampling = (
  sampling: Conversation["sampling"],
  has: (name: string) => boolean
): Conversation["sampling"] => {
  if (isEmpty(sampling)) return sampling
  const limited: Mutable<Conversation["sampling"]> = { ...sampling }
  for (const [name, written] of samplingNames) if (!has(written)) delete limited[name]
  if (!has("logit_bias")) delete limited.logitBias
  return limited
}

const toNumber = (value: unknown): number => (typeof value === "number" ? value : Infinity)

/** The content of a chat of texts that came by another API than OpenAI's chat API: it is translated when that is first needed. */
export class SaidInTexts extends SaidInTurns {
  readonly #texts: PlainTexts

  constructor(unread: UnreadConversation, others?: Readonly<Record<string, unknown>>) {
    super((): Conversation => ({ ...unread.settings, turns: unread.toTurns() }), others)
    this.#texts = unread.texts
  }

  override countMessages(): number {
    return this.#texts.messages
  }

  override get mediaParts(): ReadonlyArray<MediaPart> {
    return noMedia
  }

  override findReasoningFamilies(): ReasoningFamilies {
    return noFamilies
  }

  override findPrefill(): number | undefined {
    return this.#texts.prefill
  }
}

const noMedia: ReadonlyArray<MediaPart> = []
const noFamilies: ReasoningFamilies = {}
