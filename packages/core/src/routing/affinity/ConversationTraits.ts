/** Traits that tell the conversation of a request from others. */
import type { Dialect } from "../../conversation/Dialect.ts"
import type { AffinitySource } from "../plan/affinity/Affinity.ts"

/** How a conversation begins: texts, or lists of parts in any API's form. */
export interface Opener {
  /** The first system or developer message; absent: there is no such message. */
  readonly instruction?: { readonly content: unknown }
  /** The first message that is not an instruction. */
  readonly first: { readonly content: unknown }
}

/** A parsed chat has all of it, so a query refers to the chat itself. */
export interface ConversationTraits {
  readonly request: { readonly session_id?: string | null | undefined }
  readonly parameters: Readonly<Record<string, unknown>>
  /** The request as its caller wrote it. */
  readonly native: { readonly dialect: Dialect; readonly body: Readonly<Record<string, unknown>> }
  readonly said: {
    /** Undefined: it has only instructions. */
    readonly findOpener: () => Opener | undefined
  }
}

/** What identifies the conversation, without reading any message. */
export const findAffinitySource = (conversation: ConversationTraits): AffinitySource => {
  const session = conversation.request.session_id
  const cacheKey = findPromptCacheKey(conversation)
  // The cache key of a response stands in for a session that it does not name.
  if (session != null && session !== "" && session !== cacheKey) return "session_id"
  return cacheKey === undefined ? "opener" : "prompt_cache_key"
}

/** In a chat, `parameters` has all fields for the model. */
export const findPromptCacheKey = ({
  native,
  parameters
}: ConversationTraits): string | undefined => {
  const key = (native.dialect === "chat" ? parameters : native.body)["prompt_cache_key"]
  return typeof key === "string" && key !== "" ? key : undefined
}
