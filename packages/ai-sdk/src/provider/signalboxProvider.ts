/** A provider of the AI SDK over an instance: its calls are routed in process, without HTTP. */
import {
  type EmbeddingModelV4,
  type ImageModelV4,
  type LanguageModelV4,
  NoSuchModelError,
  type ProviderV4,
  type RerankingModelV4,
  type SpeechModelV4,
  type TranscriptionModelV4
} from "@ai-sdk/provider"
import type { CallerConfig } from "@signalbox/core"
import type { SignalboxDecisionModel } from "./DecisionModel.ts"
import { makeDecisionModel } from "./makeDecisionModel.ts"
import { makeEmbeddingModel } from "./makeEmbeddingModel.ts"
import { makeImageModel } from "./makeImageModel.ts"
import { makeLanguageModel } from "./makeLanguageModel.ts"
import { makeSpeechModel, makeTranscriptionModel } from "./makeAudioModels.ts"
import { makeRerankingModel } from "./makeRerankingModel.ts"
import type { ModelContext, SignalboxInstance } from "./SignalboxInstance.ts"

/** The caller of the provider's calls. */
export interface SignalboxProviderOptions {
  /**
   * Who makes the calls that name no `caller` of their own: whose keys, limits, guardrails and records apply. Default: the
   * application itself. A provider is cheap, so a server may make one for each of its requests.
   */
  readonly caller?: CallerConfig | undefined
}

/** The models of an instance by their catalog ids, such as `openai/gpt-5-mini`; called as a function, its language models. */
export interface SignalboxProvider extends ProviderV4 {
  (modelId: string): LanguageModelV4
  readonly languageModel: (modelId: string) => LanguageModelV4
  readonly embeddingModel: (modelId: string) => EmbeddingModelV4
  readonly rerankingModel: (modelId: string) => RerankingModelV4
  /** For `generateSpeech`. */
  readonly speechModel: (modelId: string) => SpeechModelV4
  /** For `transcribe`. */
  readonly transcriptionModel: (modelId: string) => TranscriptionModelV4
  /** For `experimental_decide`. */
  readonly decisionModel: (modelId: string) => SignalboxDecisionModel
  readonly imageModel: (modelId: string) => ImageModelV4
}

/**
 * Makes a provider of the AI SDK. Each call is one of `signalbox.answer`, `streamAnswer`, `embed`, `rerank`, `generateImages`, `speak`, `transcribe` or `decide`,
 * with fallbacks, limits and a record. A stream may fall back until the first piece of its answer.
 *
 * `providerOptions.signalbox` of a call says more, such as routing preferences: see `SignalboxChatOptions`. An unknown option
 * is an `InvalidArgumentError`. `providerMetadata.signalbox` of a result says who served and why: see `SignalboxMetadata`.
 * Errors are `APICallError`s with the status and the envelope of the HTTP API.
 *
 * Throws a `RangeError` for anything but an instance, and a `NoSuchModelError` for an empty id. Whether a model exists is
 * known when it is called.
 *
 * @example
 * ```ts
 * import { signalboxProvider } from "@signalbox/ai-sdk"
 * import { generateText } from "ai"
 *
 * const ai = signalboxProvider(signalbox, { caller: { user: "ada" } })
 * const { text } = await generateText({ model: ai("openai/gpt-5-mini"), prompt: "Is it calm at sea?" })
 * ```
 */
export const signalboxProvider = (
  instance: SignalboxInstance,
  options: SignalboxProviderOptions = {}
): SignalboxProvider => {
  if (typeof Object(instance).streamAnswer !== "function") {
    throw new RangeError(
      "signalboxProvider takes a Signalbox instance; did you forget `await Signalbox.make()`?"
    )
  }
  const unknown = Object.keys(options).find((name) => name !== "caller")
  if (unknown !== undefined) {
    throw new RangeError(`signalboxProvider: ${unknown} is no option; there is caller`)
  }
  const context: ModelContext = { instance, caller: options.caller }
  const languageModel = withId("languageModel", context, makeLanguageModel)
  return Object.assign((modelId: string) => languageModel(modelId), {
    specificationVersion: "v4" as const,
    languageModel,
    embeddingModel: withId("embeddingModel", context, makeEmbeddingModel),
    rerankingModel: withId("rerankingModel", context, makeRerankingModel),
    speechModel: withId("speechModel", context, makeSpeechModel),
    transcriptionModel: withId("transcriptionModel", context, makeTranscriptionModel),
    decisionModel: withId("decisionModel", context, makeDecisionModel),
    imageModel: withId("imageModel", context, makeImageModel)
  })
}

const withId =
  <Model>(
    modelType: string,
    context: ModelContext,
    make: (modelId: string, context: ModelContext) => Model
  ) =>
  (modelId: string): Model => {
    if (typeof modelId === "string" && modelId !== "") return make(modelId, context)
    throw new NoSuchModelError({
      modelId,
      // The type of the field knows no decision models.
      modelType: modelType as "languageModel",
      message: `${modelType} takes the id of a model of the catalog, such as openai/gpt-5-mini.`
    })
  }
