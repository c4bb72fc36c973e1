/** An upstream with any language model, embedding model or image model of the AI SDK. */
import type {
  EmbeddingModelV4,
  ImageModelV4,
  SharedV4ProviderOptions,
  SpeechModelV4,
  TranscriptionModelV4
} from "@ai-sdk/provider"
import {
  checkOptionTypes,
  makeChatDecisions,
  type OptionTypes,
  type Upstream
} from "@signalbox/core/upstream"
import type {
  AiSdkModel,
  EmbeddingModelOfCredential,
  EmbeddingOptionsOf,
  EmbeddingSource,
  ImageModelOfCredential,
  ImageOptionsOf,
  ImageSource,
  ModelOfCredential,
  ProviderOptionsOf
} from "./AiSdkModel.ts"
import { checkModel } from "./AiSdkModels.ts"
import { makeAiSdkChat } from "./makeAiSdkChat.ts"
import { makeAiSdkSpeech, makeAiSdkTranscription } from "./makeAiSdkAudio.ts"
import { makeAiSdkEmbeddings } from "./makeAiSdkEmbeddings.ts"
import { makeAiSdkImages } from "./makeAiSdkImages.ts"

/** How the provider is named, and what a chat may cost. */
export interface AiSdkOptions {
  /** The provider's slug in `only`, `ignore`, `order` and in the catalog. */
  readonly slug: string
  /** The `provider` that answers show. Default: the slug. */
  readonly name?: string | undefined
  /**
   * Makes a model that uses a customer's own credential. Absent: customers' credentials are not used with this provider.
   */
  readonly withCredential?: ModelOfCredential | undefined
  /** Options of the provider for every call, by the provider's name, or a function that returns them for one. */
  readonly providerOptions?: SharedV4ProviderOptions | ProviderOptionsOf | undefined
  /**
   * Makes an embedding model that uses a customer's own credential. Absent: customers' credentials are not used for
   * embeddings.
   */
  readonly embeddingWithCredential?: EmbeddingModelOfCredential | undefined
  /**
   * Options of the provider for a call for embeddings, made of its `inputType` and `parameters`. Absent: a call with any of
   * these is an `unsupported_parameter`.
   */
  readonly embeddingOptions?: EmbeddingOptionsOf | undefined
  /** Makes an image model that uses a customer's own credential. Absent: customers' credentials are not used for images. */
  readonly imageWithCredential?: ImageModelOfCredential | undefined
  /**
   * Options of the provider for a call for images, made of what the AI SDK has no setting for, such as its `quality`. Absent: a
   * call with any of that is an `unsupported_parameter`.
   */
  readonly imageOptions?: ImageOptionsOf | undefined
  /** The most input tokens of one image, for the reservation. Default 50,000. */
  readonly maxImageTokens?: number | undefined
  /** The same for audio, or the number of its bytes if that is less. Default 50,000: 26 minutes at 32 tokens a second. */
  readonly maxAudioTokens?: number | undefined
  /** The same for a video. Default 300,000: 16 minutes at 300 tokens a second. */
  readonly maxVideoTokens?: number | undefined
  /** The same for a file that is not text, such as a PDF. Default 200,000: 100 pages at 2,000 tokens. */
  readonly maxFileTokens?: number | undefined
  /** The most output tokens of an answer that neither the caller nor the endpoint limits. Default 128,000. */
  readonly maxOutputTokens?: number | undefined
  /** See `makeChatDecisions`. Default 0.5. */
  readonly minLabelMass?: number | undefined
}

const optionTypes: OptionTypes<AiSdkOptions> = {
  slug: ["string"],
  name: ["string"],
  withCredential: ["function"],
  providerOptions: ["object", "function"],
  embeddingWithCredential: ["function"],
  embeddingOptions: ["function"],
  imageWithCredential: ["function"],
  imageOptions: ["function"],
  maxImageTokens: ["number"],
  maxAudioTokens: ["number"],
  maxVideoTokens: ["number"],
  maxFileTokens: ["number"],
  maxOutputTokens: ["number"],
  minLabelMass: ["number"]
}

/**
 * Chats and Decisions with a language model of the AI SDK, or with those of a provider, which is a function from the
 * `model` of an endpoint. Each attempt is one call of the model, without retries; the model sends its requests itself, with
 * the credential that the host gave it.
 *
 * **Embeddings** are made by an embedding model, or by those of a provider, which is a function with an `embeddingModel`.
 * Inputs must be texts.
 *
 * **Speech** and **transcriptions** are made by the speech and transcription models of a provider, with the credential of
 * the host.
 *
 * **Images** are made by an image model, or by those of a provider, which is a function with an `imageModel`. References at an
 * address are fetched first.
 *
 * Throws a `RangeError` for a model of another version of the interface than v4, an unknown option, or one of the wrong
 * type or out of range.
 *
 * @example
 * ```ts
 * import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
 * import { fromAiSdk } from "@signalbox/ai-sdk"
 *
 * const hall = createOpenAICompatible({ name: "hall", baseURL: "https://models.hall.example/v1" })
 * const upstream = fromAiSdk(hall, { slug: "hall" })
 * ```
 */
export const fromAiSdk = (
  model: AiSdkModel | EmbeddingModelV4 | ImageModelV4,
  options: AiSdkOptions
): Upstream => {
  checkOptionTypes("fromAiSdk", options, optionTypes)
  const { minLabelMass, name, providerOptions, slug, withCredential } = options
  if (slug === undefined) throw new RangeError("fromAiSdk: slug is missing")
  if (typeof model !== "function") checkModel(model)
  const { maxImageTokens = 50_000, maxOutputTokens = 128_000 } = options
  const { maxAudioTokens, maxFileTokens, maxVideoTokens } = options
  const limits = { maxAudioTokens, maxFileTokens, maxImageTokens, maxOutputTokens, maxVideoTokens }
  for (const [limit, most] of Object.entries(limits)) {
    if (most !== undefined && (!Number.isSafeInteger(most) || most < 0)) {
      throw new RangeError(`${limit} must be a whole number, got ${most}`)
    }
  }
  const source = findEmbeddingSource(model)
  const embeddings =
    source === undefined
      ? undefined
      : makeAiSdkEmbeddings(source, {
          slug,
          limits: { ...limits, maxImageTokens },
          withCredential: options.embeddingWithCredential,
          embeddingOptions: options.embeddingOptions
        })
  const imageSource = findImageSource(model)
  const images =
    imageSource === undefined
      ? undefined
      : makeAiSdkImages(imageSource, {
          slug,
          limits: { maxImageTokens, maxOutputTokens },
          withCredential: options.imageWithCredential,
          imageOptions: options.imageOptions
        })
  const common = {
    slug,
    name: name ?? slug,
    ...(embeddings === undefined ? undefined : { embeddings }),
    ...findAudio(model, slug),
    ...(images === undefined ? undefined : { images })
  }
  if (isEmbeddingModel(model) || isImageModel(model)) return common
  const chat = makeAiSdkChat(model, { slug, limits, withCredential, providerOptions })
  return {
    ...common,
    chat,
    decisions: makeChatDecisions(chat, { maxImageTokens, minLabelMass })
  }
}

type AnyModel = AiSdkModel | EmbeddingModelV4 | ImageModelV4

const isEmbeddingModel = (model: AnyModel): model is EmbeddingModelV4 =>
  typeof model !== "function" && "doEmbed" in model

/** A language model has a `doGenerate` too, but no bound on images. */
const isImageModel = (model: AnyModel): model is ImageModelV4 =>
  typeof model !== "function" && "maxImagesPerCall" in model

/** Like `findEmbeddingSource`. */
const findImageSource = (model: AnyModel): ImageSource | undefined => {
  if (isImageModel(model)) return model
  const make = typeof model === "function" ? findFunction(model, ["imageModel"]) : undefined
  return make === undefined
    ? undefined
    : (modelId) => Reflect.apply(make, model, [modelId]) as ImageModelV4
}

/** A provider of the AI SDK is a function of its language models, with one of its embedding models under either name. */
const findEmbeddingSource = (model: AnyModel): EmbeddingSource | undefined => {
  if (isEmbeddingModel(model)) return model
  if (typeof model !== "function") return undefined
  const make = findFunction(model, ["embeddingModel", "textEmbeddingModel"])
  // The provider says of what type its models are; `checkModel` checks their version.
  return make === undefined
    ? undefined
    : (modelId) => Reflect.apply(make, model, [modelId]) as EmbeddingModelV4
}

/** Such as `provider.speech("tts-1")`, or `provider.speechModel("tts-1")`. */
const findAudio = (model: AnyModel, slug: string): Pick<Upstream, "speech" | "transcription"> => {
  if (typeof model !== "function") return {}
  const speech = findFunction(model, ["speechModel", "speech"])
  const transcription = findFunction(model, ["transcriptionModel", "transcription"])
  // The provider says of what type its models are; `checkModel` checks their version.
  const call = (make: Function, modelId: string): unknown => Reflect.apply(make, model, [modelId])
  return {
    ...(speech === undefined
      ? undefined
      : { speech: makeAiSdkSpeech((id) => call(speech, id) as SpeechModelV4, slug) }),
    ...(transcription === undefined
      ? undefined
      : {
          transcription: makeAiSdkTranscription(
            (id) => call(transcription, id) as TranscriptionModelV4,
            slug
          )
        })
  }
}

const findFunction = (holder: object, names: ReadonlyArray<string>): Function | undefined =>
  names
    .map((name): unknown => Reflect.get(holder, name))
    .find((value): value is Function => typeof value === "function")
