/** Finds the model of a call among the models of the AI SDK. */
import type {
  EmbeddingModelV4,
  ImageModelV4,
  LanguageModelV4,
  SpeechModelV4,
  TranscriptionModelV4
} from "@ai-sdk/provider"
import type { ChatCall } from "@signalbox/core/upstream"
import type { AiSdkModel, ModelOfCredential } from "./AiSdkModel.ts"
import { isObject } from "./isObject.ts"

export class AiSdkModels {
  readonly #model: AiSdkModel
  readonly #withCredential: ModelOfCredential | undefined

  constructor(model: AiSdkModel, withCredential: ModelOfCredential | undefined) {
    this.#model = model
    this.#withCredential = withCredential
  }

  /** Throws what the host's function throws, and a `RangeError` for a model of another version of the interface. */
  getModel({ credential, model }: Pick<ChatCall, "credential" | "model">): LanguageModelV4 {
    if (credential !== undefined && this.#withCredential !== undefined) {
      return checkModel(this.#withCredential(model, credential))
    }
    return typeof this.#model === "function" ? checkModel(this.#model(model)) : this.#model
  }

  /** Undefined where the host's function has no such model. */
  findProvider(model: string): string | undefined {
    try {
      return this.getModel({ model }).provider
    } catch {
      return undefined
    }
  }
}

/** Throws a `RangeError` for anything but a model with version 4 of the interface. */
export const checkModel = <
  Model extends
    | EmbeddingModelV4
    | ImageModelV4
    | LanguageModelV4
    | SpeechModelV4
    | TranscriptionModelV4
>(
  model: Model
): Model => {
  const version: unknown = isObject(model) ? model.specificationVersion : undefined
  if (version === "v4") return model
  throw new RangeError(
    `fromAiSdk: the model must implement version v4 of the AI SDK's interface, got ${String(version)}`
  )
}
