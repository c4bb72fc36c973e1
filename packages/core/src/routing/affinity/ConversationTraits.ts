/** What tells the conversation of a request from others. */
import type { AffinitySource } from "../plan/affinity/Affinity.ts"

/** A parsed chat has all of it, so a query refers to the chat itself. */
export interface ConversationTraits {
  readonly request: { readonly session_id?: string | null | undefined }
  readonly parameters: Readonly<Record<string, unknown>>
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content?: unknown }>
  /** The request as its caller wrote it; absent: `parameters` have all fields of the model. */
  readonly native?: { readonly body: Readonly<Record<string, unknown>> }
}

/** What identifies the conversation, without reading any message. */
export const findAffinitySource = (conversation: ConversationTraits): AffinitySource => {
  const session = conversation.request.session_id
  const cacheKey = findPromptCacheKey(conversation)
  // The cache key of a response stands in for a session that it does not name.
  if (session != null && session !== "" && session !== cacheKey) return "session_id"
  return cacheKey === undefined ? "opener" : "prompt_cache_key"
}

export const findPromptCacheKey = ({
  native,
  parameters
}: ConversationTraits): string | undefined => {
  const key = (native?.body ?? parameters)["prompt_cache_key"]
  return typeof key === "string" && key !== "" ? key : undefined
}
