/** Features of models with OpenAI's APIs: https://platform.openai.com/docs/guides/reasoning. */
import { findLongestStart } from "../findLongestStart.ts"

/** The facts of a model that a request depends on. */
export interface ResponsesModel {
  /**
   * Whether it reasons: then it refuses `temperature` and `top_p` unless the effort is `none`, else it refuses `reasoning`.
   * Undefined: unknown, and all is sent.
   */
  readonly isReasoning: boolean | undefined
  /**
   * The efforts that it takes, such as `low`; other efforts are rounded to the nearest. Empty: the model refuses
   * requests that set an effort. Absent: unknown, and every effort is sent.
   */
  readonly efforts?: ReadonlyArray<string>
}

/** Facts by the beginning of a model's name, such as `gpt-5`, or by the name of a deployment. */
export type ResponsesModels = Readonly<Record<string, ResponsesModel>>

/**
 * The facts of a model, those in `models` before those that are known here. The longest beginning counts, of the name or
 * of what follows `ft:`, the name of OpenAI, as in `openai.gpt-5`, or a path, as in `accounts/fireworks/models/gpt-oss-20b`.
 */
export const findResponsesModel = (name: string, models: ResponsesModels = {}): ResponsesModel => {
  const bare = name.replace(/^(?:ft:|openai\.)/, "")
  const last = name.slice(name.lastIndexOf("/") + 1)
  const names = [name, bare, last]
  return (
    findLongestStart(names, Object.entries(models)) ??
    findLongestStart(names, knownModels) ?? { isReasoning: undefined }
  )
}

const reasoning = (...efforts: ReadonlyArray<string>): ResponsesModel => ({
  isReasoning: true,
  efforts
})
/** A model whose sampling may be set, too. */
const sampled = (...efforts: ReadonlyArray<string>): ResponsesModel => ({
  isReasoning: undefined,
  efforts
})
const plain: ResponsesModel = { isReasoning: false, efforts: [] }

/**
 * The efforts that OpenAI accepts at each model: https://github.com/enricoros/big-AGI/issues/1159, and the pages of its
 * models (https://github.com/anomalyco/models.dev/pull/2296). Grok:
 * https://github.com/NousResearch/hermes-agent/pull/23435,
 * https://docs.x.ai/developers/model-capabilities/text/reasoning.
 */
const knownModels: ReadonlyArray<readonly [string, ResponsesModel]> = [
  ["gpt-3.5", plain],
  ["gpt-4", plain],
  ["chatgpt-4o", plain],
  ["gpt-5", reasoning("minimal", "low", "medium", "high")],
  ["gpt-5-codex", reasoning("low", "medium", "high")],
  ["gpt-5-pro", reasoning("high")],
  ["gpt-5-chat", plain],
  ["gpt-5.1", reasoning("none", "low", "medium", "high")],
  ["gpt-5.1-codex", reasoning("low", "medium", "high")],
  ["gpt-5.1-codex-max", reasoning("low", "medium", "high", "xhigh")],
  ["gpt-5.1-chat", plain],
  ["gpt-5.2", reasoning("none", "low", "medium", "high", "xhigh")],
  ["gpt-5.2-codex", reasoning("low", "medium", "high", "xhigh")],
  ["gpt-5.2-pro", reasoning("medium", "high", "xhigh")],
  ["gpt-5.2-chat", plain],
  ["gpt-5.3", reasoning("none", "low", "medium", "high", "xhigh")],
  ["gpt-5.3-codex", reasoning("low", "medium", "high", "xhigh")],
  ["gpt-5.3-chat", plain],
  ["gpt-5.4", reasoning("none", "low", "medium", "high", "xhigh")],
  ["gpt-5.4-pro", reasoning("medium", "high", "xhigh")],
  ["gpt-5.5", reasoning("none", "low", "medium", "high", "xhigh")],
  ["gpt-5.5-pro", reasoning("medium", "high", "xhigh")],
  // https://developers.openai.com/api/docs/guides/model-guidance?model=gpt-5.6-sol
  ["gpt-5.6", reasoning("none", "low", "medium", "high", "xhigh", "max")],
  ["codex-mini", reasoning("low", "medium", "high")],
  ["o1", reasoning("low", "medium", "high")],
  ["o3", reasoning("low", "medium", "high")],
  ["o3-deep-research", reasoning("medium")],
  ["o4", reasoning("low", "medium", "high")],
  ["o4-mini-deep-research", reasoning("medium")],
  ["gpt-oss", sampled("low", "medium", "high")],
  ["grok-3", sampled()],
  ["grok-3-mini", sampled("low", "high")],
  ["grok-4-0709", sampled()],
  ["grok-4-fast", sampled()],
  ["grok-4-1-fast", sampled()],
  ["grok-4.20", sampled()],
  ["grok-4.20-multi-agent", sampled("low", "medium", "high", "xhigh")],
  ["grok-4.3", sampled("none", "low", "medium", "high")],
  ["grok-code-fast", sampled()]
]
