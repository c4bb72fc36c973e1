/** What a host says about the models of its provider. */
import type {
  EmbeddingModelV4,
  ImageModelV4,
  LanguageModelV4,
  SharedV4ProviderOptions
} from "@ai-sdk/provider"
import type { ChatCall, EmbeddingCall, ImageCall } from "@signalbox/core/upstream"
import type * as Redacted from "effect/Redacted"

/** One model, or a function from the `model` of an endpoint to one, such as a provider of the AI SDK. */
export type AiSdkModel = LanguageModelV4 | ((modelId: string) => LanguageModelV4)

/** Makes a model that uses a customer's own credential. */
export type ModelOfCredential = (modelId: string, credential: Redacted.Redacted) => LanguageModelV4

/** Options of the provider for a call, by the provider's name. */
export type ProviderOptionsOf = (call: ChatCall) => SharedV4ProviderOptions

/** One embedding model, or a function from the `model` of an endpoint to one. */
export type EmbeddingSource = EmbeddingModelV4 | ((modelId: string) => EmbeddingModelV4)

/** Makes an embedding model that uses a customer's own credential. */
export type EmbeddingModelOfCredential = (
  modelId: string,
  credential: Redacted.Redacted
) => EmbeddingModelV4

/** Options of the provider for a call for embeddings, by the provider's name. */
export type EmbeddingOptionsOf = (call: EmbeddingCall) => SharedV4ProviderOptions

/** One image model, or a function from the `model` of an endpoint to one. */
export type ImageSource = ImageModelV4 | ((modelId: string) => ImageModelV4)

/** Makes an image model that uses a customer's own credential. */
export type ImageModelOfCredential = (
  modelId: string,
  credential: Redacted.Redacted
) => ImageModelV4

/** Options of the provider for a call for images, by the provider's name. */
export type ImageOptionsOf = (call: ImageCall) => SharedV4ProviderOptions
