/** What Decisions assume of OpenAI's own models. */
import { findResponsesModel, type ResponsesModels } from "@signalbox/core/dialects"

/** All support these; those with reasoning reject `max_tokens`. */
const common = ["structured_outputs", "max_completion_tokens"]
const ofReasoning = [...common, "reasoning_effort"]

/** `models` counts before what is known. */
export const assumeOpenAiParameters =
  (models: ResponsesModels | undefined) =>
  (model: string): ReadonlyArray<string> =>
    findResponsesModel(model, models).isReasoning === true ? ofReasoning : common
