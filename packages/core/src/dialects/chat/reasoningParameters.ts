/** How much a model reasons, in the parameters of the chat dialect, which has three names for it. */
import type { ReasoningSettings } from "../../conversation/Conversation.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { findField, isEmpty } from "../UntranslatableRequest.ts"
import { toReasoningBudget, toReasoningEffort } from "../reasoningEffort.ts"
import { replaceFields, type RequestChanges } from "../RequestChanges.ts"

type Json = Readonly<Record<string, unknown>>

/** `reasoning_effort` is from OpenAI, `reasoning` from OpenRouter, `thinking` from Anthropic, DeepSeek and Moonshot. */
export type ReasoningParameter = "reasoning" | "reasoning_effort" | "thinking"

export const reasoningNames: ReadonlyArray<ReasoningParameter> = [
  "reasoning",
  "reasoning_effort",
  "thinking"
]

/** Undefined: the parameters say nothing about it. */
export const parseReasoningParameters = (parameters: Json): ReasoningSettings | undefined => {
  const reasoning = findObject(parameters, "reasoning")
  const thinking = findObject(parameters, "thinking")
  const { effort, enabled, exclude, max_tokens, summary } = reasoning
  const settings = omitUndefined({
    effort: findText(effort) ?? findText(findField(parameters, "reasoning_effort")),
    maxTokens: findNumber(max_tokens) ?? findNumber(thinking["budget_tokens"]),
    isEnabled: findBoolean(enabled) ?? isThinking(thinking["type"]),
    isExcluded:
      findBoolean(exclude) ??
      (findField(parameters, "include_reasoning") === false ? true : undefined),
    summary: findText(summary)
  })
  return isEmpty(settings) ? undefined : settings
}

const isThinking = (type: unknown): boolean | undefined => {
  if (type === "disabled") return false
  return type === "enabled" || type === "adaptive" ? true : undefined
}

export interface RenameOptions {
  /** The cap of the answer, if it has one. */
  readonly cap: number | undefined
  /** Whether the caller speaks another API. */
  readonly isTranslated: boolean
  /** Gets what cannot be said under the other names. */
  readonly changes: RequestChanges
}

/**
 * Returns the same parameters where they use names of `taken` only, else the same setting under one of those names.
 * Without a cap, a number of tokens counts as a medium effort, as in other dialects.
 */
export const renameReasoning = (
  parameters: Json,
  taken: ReadonlyArray<ReasoningParameter>,
  { cap, changes, isTranslated }: RenameOptions
): Json => {
  const given = reasoningNames.filter((name) => findField(parameters, name) !== undefined)
  if (taken.length === 0 || given.length === 0) return parameters
  const settings = parseReasoningParameters(parameters)
  if (settings === undefined) return parameters
  // A server that takes `thinking` turns thoughts off by `thinking` only.
  const isTurnedOff = isOff(settings) && taken.includes("thinking") && !given.includes("thinking")
  if (given.every((name) => taken.includes(name)) && !isTurnedOff) return parameters
  const { isExcluded, summary, ...wish } = settings
  const isShown = taken.includes("reasoning") || !given.includes("reasoning")
  // Callers of other APIs do not get reasoning they did not ask for, even if the provider sends it.
  if (!isShown && !isTranslated && isExcluded === true) changes.add(["reasoning", "exclude"])
  if (!isShown && summary !== undefined) changes.add(["reasoning", "summary"])
  for (const name in findObject(parameters, "reasoning")) {
    if (!translatedFields.has(name)) changes.add(["reasoning", name])
  }
  return replaceFields(parameters, {
    reasoning: undefined,
    reasoning_effort: undefined,
    thinking: undefined,
    ...writeReasoningParameters(taken.includes("reasoning") ? settings : wish, new Set(taken), cap)
  })
}

/** Those of `reasoning` that have a name elsewhere. */
const translatedFields: ReadonlySet<string> = new Set([
  "effort",
  "enabled",
  "exclude",
  "max_tokens",
  "summary"
])

const isOff = ({ effort, isEnabled }: ReasoningSettings): boolean =>
  effort === "none" || (effort === undefined && isEnabled === false)

const writeReasoningParameters = (
  settings: ReasoningSettings,
  taken: ReadonlySet<ReasoningParameter>,
  cap: number | undefined
): Json => {
  const { effort, isEnabled, isExcluded, maxTokens, summary } = settings
  const isTurnedOff = isOff(settings)
  if (isTurnedOff && taken.has("thinking")) return { thinking: { type: "disabled" } }
  if (taken.has("reasoning") && (isTurnedOff || !taken.has("reasoning_effort"))) {
    return {
      reasoning: omitUndefined({
        effort,
        max_tokens: maxTokens,
        enabled: isEnabled,
        exclude: isExcluded,
        summary
      })
    }
  }
  const budgeted =
    maxTokens === undefined ? undefined : toReasoningEffort(maxTokens, cap ?? 2 * maxTokens)
  if (taken.has("reasoning_effort")) {
    const level = effort ?? budgeted ?? (isTurnedOff ? "none" : undefined)
    if (level !== undefined) return { reasoning_effort: level }
    if (isEnabled !== true) return {}
    return taken.has("thinking")
      ? { thinking: { type: "enabled" } }
      : { reasoning_effort: "medium" }
  }
  if (effort === undefined && maxTokens === undefined && isEnabled === undefined) return {}
  const budget =
    maxTokens ??
    (effort === undefined || cap === undefined ? undefined : toReasoningBudget(effort, cap))
  return { thinking: { type: "enabled", ...omitUndefined({ budget_tokens: budget }) } }
}

const findObject = (json: Json, name: string): Json => {
  const value = findField(json, name)
  return isObject(value) ? value : none
}

const none: Json = {}

const findNumber = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined

const findText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined

const findBoolean = (value: unknown): boolean | undefined =>
  typeof value === "boolean" ? value : undefined
