/** Finds the conversation of a request, where keeping it in its place can save anything. */
import type { SettingsShape } from "../../instance/Settings.ts"
import { type Candidate, isByok } from "../Candidate.ts"
import type { Affinity, AffinitySource, NoAffinity } from "../plan/affinity/Affinity.ts"
import { nonEmpty, type Preferences } from "../Preferences.ts"
import type { AffinityPins } from "./AffinityPins.ts"
import { type ConversationTraits, findAffinitySource } from "./ConversationTraits.ts"
import { hashConversation } from "./hashConversation.ts"

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
  { affinityMillis, affinityUnderWay }: AffinitySettings
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
    ...(pinned === undefined ? undefined : { pinned }),
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
export const cachesCheaply = ({ price: { approximate } }: Candidate): boolean =>
  approximate.cacheRead < approximate.prompt
