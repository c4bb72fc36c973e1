/**
 * Features and limits of models with Anthropic's Messages API:
 * https://platform.claude.com/docs/en/about-claude/models/overview.
 */
import { omitUndefined } from "../../values/ownFields.ts"
import { findLongestStart } from "../findLongestStart.ts"
import type { ForcedTools, ThinkingForms } from "./writeThinkingSettings.ts"

/** The facts of a model that a request depends on. */
export interface MessagesModel {
  /** The forms of `thinking` that it takes. */
  readonly thinking: ThinkingForms
  /** Whether it takes `temperature`, `top_p` and `top_k`: only models before 4.7. */
  readonly takesSampling: boolean
  /** Whether instructions may stand between messages: from Opus 4.8. Elsewhere they become marked text of the user. */
  readonly takesSystemTurns: boolean
  /** The maximum length of an answer in tokens, thinking included. */
  readonly maxOutputTokens: number
  /** The levels of `output_config.effort` that it takes; empty: it refuses the field. */
  readonly efforts: ReadonlyArray<string>
  /** The efforts that it takes while thinking is turned off; absent: all of them. */
  readonly unthinkingEfforts?: ReadonlyArray<string>
  /** Whether a call may be forced (`tool_choice` of `any` or a tool): beside adaptive thinking, without thinking only, or never. */
  readonly forcedTools: ForcedTools
  /** Whether it continues a conversation that ends with the beginning of its answer (prefill): only models before 4.6. */
  readonly takesPrefill: boolean
  /** Whether it is a model of Anthropic's that is known, or that the host describes. */
  readonly isKnown: boolean
}

/** Facts by the beginning of a model id, such as `claude-opus-4-8`, or by the name of a deployment. */
export type MessagesModels = Readonly<Record<string, Partial<Omit<MessagesModel, "isKnown">>>>

/**
 * The facts of a model, those in `models` before those that are known here. The longest beginning counts, of the id or of
 * what follows the prefix of a cloud, as in `us.anthropic.claude-opus-5`. A model that is unknown gets what every newer
 * one takes.
 */
export const findMessagesModel = (id: string, models: MessagesModels = {}): MessagesModel => {
  const start = id.indexOf("claude-")
  const names = start > 0 ? [id, id.slice(start)] : [id]
  const known = findLongestStart(names, knownModels)
  const told = findLongestStart(names, Object.entries(models))
  return {
    ...newest,
    // The name of a deployment does not tell its model, so it may take a prefill.
    takesPrefill: start === -1,
    isKnown: known !== undefined || told !== undefined,
    ...known,
    ...omitUndefined(told ?? {})
  }
}

/** https://platform.claude.com/docs/en/build-with-claude/effort. */
const allEfforts = ["low", "medium", "high", "xhigh", "max"]
const throughHigh = ["low", "medium", "high"]

const newest: MessagesModel = {
  thinking: { adaptive: true, budget: false, disabled: false },
  takesSampling: false,
  takesSystemTurns: false,
  maxOutputTokens: 64_000,
  efforts: allEfforts,
  forcedTools: "always",
  takesPrefill: false,
  isKnown: false
}

/** https://platform.claude.com/docs/en/build-with-claude/extended-thinking#feature-compatibility. */
const before46: Partial<MessagesModel> = {
  takesSampling: true,
  takesPrefill: true,
  efforts: [],
  forcedTools: "without_thinking"
}
const withoutThinking: Partial<MessagesModel> = {
  ...before46,
  thinking: { adaptive: false, budget: false, disabled: false }
}
const withBudget: Partial<MessagesModel> = {
  ...before46,
  thinking: { adaptive: false, budget: true, disabled: true }
}
/** `xhigh` came later than `max`. Prefill: https://platform.claude.com/docs/en/about-claude/models/migration-guide. */
const of46: Partial<MessagesModel> = {
  thinking: { adaptive: true, budget: true, disabled: true },
  takesSampling: true,
  takesPrefill: false,
  maxOutputTokens: 128_000,
  efforts: [...throughHigh, "max"],
  forcedTools: "without_thinking"
}
const of47: Partial<MessagesModel> = {
  thinking: { adaptive: true, budget: false, disabled: true },
  takesPrefill: false,
  maxOutputTokens: 128_000,
  forcedTools: "without_thinking"
}
/** Adaptive thinking and forced calls together: https://github.com/langchain-ai/langchain-aws/pull/1141. */
const from48: Partial<MessagesModel> = { ...of47, takesSystemTurns: true, forcedTools: "always" }
/** https://platform.claude.com/docs/en/about-claude/models/whats-new-opus-5. */
const of5: Partial<MessagesModel> = { ...from48, unthinkingEfforts: throughHigh }
const alwaysThinking: Partial<MessagesModel> = {
  takesSystemTurns: true,
  takesPrefill: false,
  maxOutputTokens: 128_000
}
/** https://platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5#forced-tool-use-is-not-supported. */
const unforced: Partial<MessagesModel> = { ...alwaysThinking, forcedTools: "never" }

const knownModels: ReadonlyArray<readonly [string, Partial<MessagesModel>]> = [
  ["claude-3-", { ...withoutThinking, maxOutputTokens: 4_096 }],
  ["claude-3-5-", { ...withoutThinking, maxOutputTokens: 8_192 }],
  ["claude-3-7-", withBudget],
  ["claude-opus-4", { ...withBudget, maxOutputTokens: 32_000 }],
  ["claude-sonnet-4", withBudget],
  ["claude-haiku-4", withBudget],
  ["claude-opus-4-5", { ...withBudget, efforts: throughHigh }],
  ["claude-opus-4-6", of46],
  ["claude-sonnet-4-6", of46],
  ["claude-opus-4-7", of47],
  ["claude-opus-4-8", from48],
  ["claude-opus-5", of5],
  ["claude-sonnet-5", from48],
  ["claude-haiku-5", of5],
  ["claude-opus-5-5", unforced],
  ["claude-sonnet-5-5", unforced],
  ["claude-fable-5", alwaysThinking],
  ["claude-fable-5-1", unforced],
  ["claude-fable-5-2", unforced],
  ["claude-mythos-", alwaysThinking],
  ["claude-mythos-5-1", unforced]
]
