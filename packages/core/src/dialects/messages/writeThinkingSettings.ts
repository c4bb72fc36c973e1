/** Writes how much a model of Anthropic's API may think. */
import type { ReasoningSettings } from "../../conversation/Conversation.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { roundEffort, toReasoningBudget, toReasoningEffort } from "../reasoningEffort.ts"
import type { RequestChanges } from "../RequestChanges.ts"

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

/** When a request may force the model to call a tool. */
export type ForcedTools = "always" | "never" | "without_thinking"

export interface WrittenThinking {
  readonly thinking?: Json
  readonly effort?: string
}

/** The facts of the model and of the rest of the request that the settings depend on. */
export interface ThinkingOptions {
  readonly forms: ThinkingForms
  readonly cap: number
  /** A tool must be called, which models refuse together with a budget. */
  readonly isForced: boolean
  /** As in `MessagesModel`. */
  readonly forcedTools: ForcedTools
  /** As in `MessagesModel`; absent: all of them. */
  readonly efforts?: ReadonlyArray<string> | undefined
  readonly unthinkingEfforts?: ReadonlyArray<string> | undefined
  readonly changes: RequestChanges
}

/** A budget that has no room below the cap is left out. */
export const writeThinkingSettings = (
  settings: ReasoningSettings | undefined,
  options: ThinkingOptions
): WrittenThinking => {
  if (settings === undefined) return {}
  const { cap, changes, forcedTools, forms, isForced } = options
  const { effort, isEnabled, maxTokens } = settings
  if (isEnabled === false || effort === "none") return writeDisabled(settings, options)
  const isWanted = isEnabled === true || effort !== undefined || maxTokens !== undefined
  if (!isWanted) return {}
  if (isForced && (forcedTools !== "always" || !forms.adaptive)) {
    if (forms.adaptive || forms.budget) changes.add(["reasoning"])
    return forms.adaptive ? { ...writeEffort(effort, options), thinking: { type: "disabled" } } : {}
  }
  const written = forms.adaptive ? writeEffort(effort, options) : {}
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
      : { effort: toEffortName(toReasoningEffort(maxTokens, cap), options.efforts) }),
    ...written,
    // Newer models show nothing unless they are asked to.
    thinking: { type: "adaptive", ...writeDisplay({ isExcluded: false, ...settings }) }
  }
}

const defaultEffort = "medium"

/** The API has no smaller effort than `low`, which says as much as `minimal`. */
const toEffortName = (effort: string, known: ReadonlyArray<string> | undefined): string =>
  roundEffort(effort === "minimal" ? "low" : effort, known)

const writeEffort = (
  effort: string | undefined,
  { changes, efforts }: Pick<ThinkingOptions, "changes" | "efforts">
): Pick<WrittenThinking, "effort"> => {
  if (effort === undefined) return {}
  const written = toEffortName(effort, efforts)
  if (written !== effort) changes.add(["reasoning", "effort"])
  return { effort: written }
}

const writeDisabled = (
  { effort, isEnabled }: ReasoningSettings,
  { changes, efforts, forms: { adaptive, disabled }, unthinkingEfforts }: ThinkingOptions
): WrittenThinking => {
  if (!disabled) {
    if (adaptive) changes.add(["reasoning"])
    return adaptive ? { effort: "low" } : {}
  }
  const kept =
    isEnabled === false && effort !== undefined && effort !== "none"
      ? writeEffort(effort, { changes, efforts: unthinkingEfforts ?? efforts })
      : {}
  return { thinking: { type: "disabled" }, ...(adaptive ? kept : {}) }
}

const writeDisplay = ({ isExcluded }: ReasoningSettings): Json | undefined =>
  isExcluded === undefined ? undefined : { display: isExcluded ? "omitted" : "summarized" }

/** The least that the API accepts. */
const minBudget = 1_024

const clampBudget = (tokens: number, cap: number): number | undefined =>
  cap <= minBudget ? undefined : Math.min(Math.max(Math.floor(tokens), minBudget), cap - 1)

/** The fields of a request that its caller wrote for another model, and their new values; empty: none changes. */
export const fitEffort = (
  output: Json,
  known: ReadonlyArray<string>,
  changes: RequestChanges
): Json => {
  const { effort } = output
  if (typeof effort !== "string" || known.includes(effort)) return output
  const fitted = known.length === 0 ? undefined : toEffortName(effort, known)
  if (fitted === effort) return output
  changes.add(["output_config", "effort"])
  const { effort: _, ...rest } = output
  return { ...rest, ...omitUndefined({ effort: fitted }) }
}
