/** The key of a conversation: a hash of its account, its model, and what identifies it. */
import { hashText } from "../../values/hashText.ts"
import { isObject } from "../../values/json/guards.ts"
import type { AffinitySource } from "../plan/affinity/Affinity.ts"
import { type ConversationTraits, findPromptCacheKey, type Opener } from "./ConversationTraits.ts"

/**
 * 32 bits. `model` is the id of the first requested one, because each model has its own cache. Undefined when nothing identifies
 * the conversation, such as a chat that has only a system prompt.
 */
export const hashConversation = (
  conversation: ConversationTraits,
  by: AffinitySource,
  account: string,
  model: string
): number | undefined => {
  const seed = hashText(hashText(hashText(0, by), account), model)
  switch (by) {
    case "session_id":
      return hashText(seed, conversation.request.session_id ?? "") >>> 0
    case "prompt_cache_key":
      return hashText(seed, findPromptCacheKey(conversation) ?? "", maxLength) >>> 0
    case "opener":
      return hashOpener(conversation.said.findOpener(), seed)
  }
}

/** Characters of a message that are read: the hash of long texts would hold up other requests. */
const maxLength = 65_536

/**
 * Hashes the first system or developer message and the first other one. A system prompt alone would send the traffic of
 * a whole application to one endpoint.
 */
const hashOpener = (opener: Opener | undefined, seed: number): number | undefined => {
  if (opener === undefined) return undefined
  const { first, instruction } = opener
  const instructed = instruction === undefined ? seed : hashContent(instruction.content, seed)
  // Even with the same texts, a chat without instructions is another one.
  return (
    hashContent(first.content, hashText(instructed, instruction === undefined ? "" : "system")) >>>
    0
  )
}

/**
 * A text and a list of one part with that text have the same hash: clients write the same message either way, because
 * they move the cache mark from message to message.
 */
const hashContent = (content: unknown, seed: number): number => {
  if (typeof content === "string") return hashText(seed, content, maxLength)
  return Array.isArray(content) ? hashParts(content, seed) : seed
}

const hashParts = (parts: ReadonlyArray<unknown>, seed: number): number => {
  const state: HashState = { hash: seed, left: maxLength }
  for (const part of parts) {
    if (state.left <= 0) break
    const text = isObject(part) ? part["text"] : part
    if (typeof text === "string") hashString(state, text)
    else hashValue(state, part)
  }
  return state.hash
}

interface HashState {
  hash: number
  /** Characters that may still be read. */
  left: number
}

const hashString = (state: HashState, text: string): void => {
  state.hash = hashText(state.hash, text, state.left)
  state.left -= text.length
}

/** Hashes every text and number in the value, such as the URL of an image. */
const hashValue = (state: HashState, value: unknown): void => {
  if (state.left <= 0) return
  if (typeof value === "string") hashString(state, value)
  else if (typeof value === "number") state.hash = hashText(state.hash ^ value, "")
  else if (Array.isArray(value)) for (const item of value) hashValue(state, item)
  else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      if (!marks.has(name)) hashValue(state, value[name])
    }
  }
}

/** The names of cache marks in the chat dialect and in conversations. */
const marks: ReadonlySet<string> = new Set(["cache", "cache_control"])
