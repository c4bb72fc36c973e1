/** The parameters of OpenAI's own models. */
import { findResponsesModel, type ResponsesModels } from "@signalbox/core/dialects"
import type { OpenAiApi } from "./ChatOptions.ts"
import { parameterLists } from "./parameterLists.ts"

interface ListOptions {
  readonly api?: OpenAiApi | ((model: string) => OpenAiApi) | undefined
  readonly models?: ResponsesModels | undefined
}

/** Undefined for models of which it is unknown whether they reason. `models` counts before what is known. */
export const listOpenAiParameters =
  ({ api = "chat", models }: ListOptions) =>
  (model: string): ReadonlyArray<string> | undefined => {
    if (model.startsWith("text-embedding-3")) return parameterLists.openaiEmbeddings
    const { isReasoning } = findResponsesModel(model, models)
    if (isReasoning === undefined) return undefined
    if ((typeof api === "function" ? api(model) : api) === "responses") {
      return isReasoning
        ? parameterLists.openaiResponses
        : [...parameterLists.openaiResponses, "logprobs", "temperature", "top_logprobs", "top_p"]
    }
    return isReasoning ? parameterLists.openaiReasoning : parameterLists.openai
  }
