/** Writes how much a model of Google's API may think. */
import type { ReasoningSettings } from "../../conversation/Conversation.ts"
import { toReasoningBudget } from "../reasoningEffort.ts"
import type { Json } from "./geminiFields.ts"

type ThinkingLevel = "high" | "low" | "medium" | "minimal"

/** The form of the setting for how much a model thinks. */
export type GeminiThinkingForm =
  /** By one of these levels, least first, or by a number of tokens: models from 3. Thinking cannot be turned off. */
  | { readonly type: "level"; readonly levels: ReadonlyArray<ThinkingLevel> }
  /** By a number of tokens within these bounds: models of 2.5. With a `min` of 0, thinking can be turned off. */
  | { readonly type: "budget"; readonly min: number; readonly max: number }
  /** The model does not think, and refuses requests with a setting for it. */
  | { readonly type: "none" }

export const defaultThinkingForm: GeminiThinkingForm = {
  type: "level",
  levels: ["minimal", "low", "medium", "high"]
}

/** `cap`: the maximum length of the answer, to which the share of an effort is applied; absent: the model's maximum. */
export const writeThinkingConfig = (
  settings: ReasoningSettings | undefined,
  form: GeminiThinkingForm,
  cap: number | undefined
): Json | undefined => {
  if (settings === undefined || form.type === "none") return undefined
  const { effort, isEnabled, isExcluded, maxTokens } = settings
  const isOff = isEnabled === false || effort === "none"
  // Google returns thoughts only on request.
  const shown = isOff ? undefined : { includeThoughts: isExcluded !== true }
  if (form.type === "level") {
    const level = isOff ? form.levels[0] : findLevel(effort, form.levels)
    if (level !== undefined) return { thinkingLevel: level.toUpperCase(), ...shown }
    return maxTokens === undefined || isOff ? shown : { thinkingBudget: maxTokens, ...shown }
  }
  if (isOff) return { thinkingBudget: form.min }
  const budget =
    maxTokens ?? (effort === undefined ? undefined : toReasoningBudget(effort, cap ?? largestCap))
  if (budget !== undefined) {
    return { thinkingBudget: Math.min(Math.max(budget, form.min), form.max), ...shown }
  }
  return { ...(isEnabled === true ? { thinkingBudget: modelDecides } : undefined), ...shown }
}

const modelDecides = -1

/** The maximum length of an answer of the models that take budgets. */
const largestCap = 65_536

const levelOrder: ReadonlyArray<string> = ["minimal", "low", "medium", "high", "xhigh", "max"]

/** The smallest level that is not below the effort, else the largest; undefined for an unknown effort. */
const findLevel = (
  effort: string | undefined,
  levels: ReadonlyArray<ThinkingLevel>
): ThinkingLevel | undefined => {
  const wanted = effort === undefined ? -1 : levelOrder.indexOf(effort)
  if (wanted === -1) return undefined
  return levels.find((level) => levelOrder.indexOf(level) >= wanted) ?? levels.at(-1)
}
