/** Finds the conversation of a request, where keeping it in its place can save anything. */
import type { SettingsShape } from "../../instance/Settings.ts"
import { hashText } from "../../values/hashText.ts"
import { isObject } from "../../values/json/guards.ts"
import { type Candidate, isByok } from "../Candidate.ts"
import { nonEmpty, type Preferences } from "../Preferences.ts"
import type { PlannedRoute } from "../RouteQuery.ts"
import type { Affinity, AffinitySource, NoAffinity } from "../plan/affinity/Affinity.ts"
import type { AffinityPins } from "./AffinityPins.ts"
import {
  type ConversationTraits,
  findAffinitySource,
  findPromptCacheKey,
  type Opener
} from "./ConversationTraits.ts"

/** The facts of a request that decide about affinity. */
export interface AffinityQuery {
  readonly caller: { readonly account: string }
  readonly conversation?: ConversationTraits
  readonly preferences: Preferences
}

export type AffinitySettings = Pick<SettingsShape, "affinityMillis" | "affinityUnderWay">

/**
 * Reads no message and allocates nothing when affinity is off. Undefined for a request that continues no conversation.
 */
export const findAffinity = (
  { caller, conversation, preferences }: AffinityQuery,
  model: string,
  candidates: ReadonlyArray<Candidate>,
  pins: Pick<AffinityPins["Service"], "find" | "countUnderWay">,
  { affinityMillis, affinityUnderWay }: AffinitySettings,
  /** Whether other processes serve the same conversations. */
  isShared = false
): Affinity | NoAffinity | undefined => {
  if (conversation === undefined) return undefined
  const by = findAffinitySource(conversation)
  const isOn =
    affinityMillis > 0 && nonEmpty(preferences.order) === undefined && hasCheapCache(candidates)
  const key = isOn ? hashConversation(conversation, by, caller.account, model) : undefined
  if (key === undefined) return noAffinity[by]
  const pinned = pins.find(key)
  const underWay = pins.countUnderWay(key) + 1
  // So many requests at once are no conversation, but share a template.
  const shift = underWay > affinityUnderWay ? Math.floor(underWay / affinityUnderWay) : 0
  if (pinned === undefined && shift === 0) return { by, key }
  return {
    by,
    key,
    ...(pinned === undefined
      ? undefined
      : isShared
        ? { pinned, returns: true as const }
        : { pinned }),
    ...(shift === 0 ? undefined : { shift })
  }
}

const noAffinity: Readonly<Record<AffinitySource, NoAffinity>> = {
  session_id: { by: "session_id" },
  prompt_cache_key: { by: "prompt_cache_key" },
  opener: { by: "opener" }
}

/** Whether there is a choice of shared endpoints, and one of them charges less for what its cache holds. */
const hasCheapCache = (candidates: ReadonlyArray<Candidate>): boolean => {
  let shared = 0
  let isCheap = false
  for (const candidate of candidates) {
    if (isByok(candidate)) continue
    shared++
    isCheap ||= cachesCheaply(candidate)
  }
  return isCheap && shared > 1
}

/** Whether an endpoint charges less for prompt tokens that it reads from its cache. */
const cachesCheaply = ({ price: { approximate } }: Candidate): boolean =>
  approximate.cacheRead < approximate.prompt

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

/**
 * The newest prompt is cached where it was served, also when a fallback did. Customers' own credentials go first in any
 * case, a cache that saves nothing is nothing to come back for, and requests of a hot key are no conversation.
 */
export const followSuccess = (
  { affinity, plan }: Pick<PlannedRoute, "affinity" | "plan">,
  served: Candidate,
  pins: Pick<AffinityPins["Service"], "pin">
): void => {
  if (affinity?.key === undefined || affinity.shift !== undefined) return
  if (isByok(served) || !cachesCheaply(served)) return
  pins.pin(affinity.key, served.id === plan.affinity?.home ? undefined : served.id)
}
