/** What models with Anthropic's Messages API take: https://platform.claude.com/docs/en/about-claude/models/overview. */
import { omitUndefined } from "../../values/omitUndefined.ts"
import { findLongestStart } from "../findLongestStart.ts"
import type { ThinkingForms } from "./writeThinkingSettings.ts"

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
}

/** Facts by the beginning of a model id, such as `claude-opus-4-8`, or by the name of a deployment. */
export type MessagesModels = Readonly<Record<string, Partial<MessagesModel>>>

/**
 * The facts of a model, those in `models` before those that are known here. The longest beginning counts, of the id or of
 * what follows the prefix of a cloud, as in `us.anthropic.claude-opus-5`. A model that is unknown gets what every newer
 * one takes.
 */
export const findMessagesModel = (id: string, models: MessagesModels = {}): MessagesModel => {
  const start = id.indexOf("claude-")
  const names = start > 0 ? [id, id.slice(start)] : [id]
  return {
    ...newest,
    ...findLongestStart(names, knownModels),
    ...omitUndefined(findLongestStart(names, Object.entries(models)) ?? {})
  }
}

const newest: MessagesModel = {
  thinking: { adaptive: true, budget: false, disabled: false },
  takesSampling: false,
  takesSystemTurns: false,
  maxOutputTokens: 64_000
}

const withoutThinking: Partial<MessagesModel> = {
  thinking: { adaptive: false, budget: false, disabled: false },
  takesSampling: true
}
const withBudget: Partial<MessagesModel> = {
  thinking: { adaptive: false, budget: true, disabled: true },
  takesSampling: true
}
const of46: Partial<MessagesModel> = {
  thinking: { adaptive: true, budget: true, disabled: true },
  takesSampling: true,
  maxOutputTokens: 128_000
}
const from47: Partial<MessagesModel> = {
  thinking: { adaptive: true, budget: false, disabled: true },
  maxOutputTokens: 128_000
}
const from48: Partial<MessagesModel> = { ...from47, takesSystemTurns: true }
const alwaysThinking: Partial<MessagesModel> = {
  takesSystemTurns: true,
  maxOutputTokens: 128_000
}

const knownModels: ReadonlyArray<readonly [string, Partial<MessagesModel>]> = [
  ["claude-3-", { ...withoutThinking, maxOutputTokens: 4_096 }],
  ["claude-3-5-", { ...withoutThinking, maxOutputTokens: 8_192 }],
  ["claude-3-7-", withBudget],
  ["claude-opus-4", { ...withBudget, maxOutputTokens: 32_000 }],
  ["claude-sonnet-4", withBudget],
  ["claude-haiku-4", withBudget],
  ["claude-opus-4-5", withBudget],
  ["claude-opus-4-6", of46],
  ["claude-sonnet-4-6", of46],
  ["claude-opus-4-7", from47],
  ["claude-opus-4-8", from48],
  ["claude-opus-5", from48],
  ["claude-sonnet-5", from48],
  ["claude-haiku-5", from48],
  ["claude-opus-5-5", alwaysThinking],
  ["claude-sonnet-5-5", alwaysThinking],
  ["claude-fable-5", alwaysThinking],
  ["claude-mythos-5", alwaysThinking]
]
