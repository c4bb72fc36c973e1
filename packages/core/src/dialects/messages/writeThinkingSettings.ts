/** Writes how much a model of Anthropic's API may think. */
import type { ReasoningSettings } from "../../conversation/Conversation.ts"
import { toReasoningBudget, toReasoningEffort } from "../reasoningBudget.ts"

type Json = Readonly<Record<string, unknown>>

/** The forms of `thinking` that a model takes. */
export interface ThinkingForms {
  /** The model decides by an effort: models from 4.6. */
  readonly adaptive: boolean
  /** A number of tokens: models before 4.7. */
  readonly budget: boolean
  /** Whether it can be turned off; the newest models refuse that. */
  readonly disabled: boolean
}

export interface WrittenThinking {
  readonly thinking?: Json
  readonly effort?: string
}

/**
 * `isForced`: a tool must be called, which models refuse together with a budget. A budget that has no room below the cap
 * is left out.
 */
export const writeThinkingSettings = (
  settings: ReasoningSettings | undefined,
  forms: ThinkingForms,
  cap: number,
  isForced: boolean
): WrittenThinking => {
  if (settings === undefined) return {}
  const { effort, isEnabled, maxTokens } = settings
  if (isEnabled === false || effort === "none") return writeDisabled(settings, forms)
  const isWanted = isEnabled === true || effort !== undefined || maxTokens !== undefined
  if (!isWanted) return {}
  const written = effort === undefined || !forms.adaptive ? {} : { effort: toEffortName(effort) }
  if (forms.budget && !isForced && (maxTokens !== undefined || !forms.adaptive)) {
    const budget =
      maxTokens === undefined
        ? toReasoningBudget(effort ?? defaultEffort, cap)
        : clampBudget(maxTokens, cap)
    return budget === undefined
      ? written
      : {
          ...written,
          thinking: { type: "enabled", budget_tokens: budget, ...writeDisplay(settings) }
        }
  }
  if (!forms.adaptive) return {}
  return {
    ...(maxTokens === undefined
      ? undefined
      : { effort: toEffortName(toReasoningEffort(maxTokens, cap)) }),
    ...written,
    // Newer models show nothing unless they are asked to.
    thinking: { type: "adaptive", ...writeDisplay({ isExcluded: false, ...settings }) }
  }
}

const defaultEffort = "medium"

/** The API has no smaller effort than `low`. */
const toEffortName = (effort: string): string => (effort === "minimal" ? "low" : effort)

const writeDisabled = (
  { effort, isEnabled }: ReasoningSettings,
  { adaptive, disabled }: ThinkingForms
): WrittenThinking => {
  if (!disabled) return adaptive ? { effort: "low" } : {}
  const kept = isEnabled === false && effort !== undefined && effort !== "none" ? { effort } : {}
  return { thinking: { type: "disabled" }, ...(adaptive ? kept : {}) }
}

const writeDisplay = ({ isExcluded }: ReasoningSettings): Json | undefined =>
  isExcluded === undefined ? undefined : { display: isExcluded ? "omitted" : "summarized" }

/** The least that the API accepts. */
const minBudget = 1_024

const clampBudget = (tokens: number, cap: number): number | undefined =>
  cap <= minBudget ? undefined : Math.min(Math.max(Math.floor(tokens), minBudget), cap - 1)
