/** What models with OpenAI's Responses API take: https://platform.openai.com/docs/guides/reasoning. */
import { findLongestStart } from "../findLongestStart.ts"

/** The facts of a model that a request depends on. */
export interface ResponsesModel {
  /**
   * Whether it reasons: then it refuses `temperature` and `top_p` unless the effort is `none`, else it refuses `reasoning`.
   * Undefined: unknown, and all is sent.
   */
  readonly isReasoning: boolean | undefined
}

/** Facts by the beginning of a model's name, such as `gpt-5`, or by the name of a deployment. */
export type ResponsesModels = Readonly<Record<string, ResponsesModel>>

/**
 * The facts of a model, those in `models` before those that are known here. The longest beginning counts, of the name or
 * of what follows `ft:` or the name of OpenAI, as in `openai.gpt-5`.
 */
export const findResponsesModel = (name: string, models: ResponsesModels = {}): ResponsesModel => {
  const bare = name.replace(/^(?:ft:|openai[./])/, "")
  const names = bare === name ? [name] : [name, bare]
  return (
    findLongestStart(names, Object.entries(models)) ??
    findLongestStart(names, knownModels) ?? { isReasoning: undefined }
  )
}

const reasoning: ResponsesModel = { isReasoning: true }
const plain: ResponsesModel = { isReasoning: false }

const knownModels: ReadonlyArray<readonly [string, ResponsesModel]> = [
  ["gpt-3.5", plain],
  ["gpt-4", plain],
  ["chatgpt-4o", plain],
  ["gpt-5", reasoning],
  ["gpt-5-chat", plain],
  ["gpt-5.1-chat", plain],
  ["gpt-5.2-chat", plain],
  ["gpt-5.3-chat", plain],
  ["codex-mini", reasoning],
  ["o1", reasoning],
  ["o3", reasoning],
  ["o4", reasoning]
]
