/** An upstream with the models of Vertex AI on Google Cloud. */
import {
  type GeminiModels,
  makeChatFit,
  makeGeminiChat,
  makeMessagesChat,
  type MessagesModels,
  thinkingParameters
} from "@signalbox/core/dialects"
import {
  checkOptionTypes,
  chooseChat,
  makeChatCompletions,
  makeChatDecisions,
  makeTokenSigner,
  type OptionTypes,
  type TokenProvider,
  type Upstream
} from "@signalbox/core/upstream"
import { makeImageCapability } from "./makeImageCapability.ts"
import { makeSpeechCapability } from "./makeSpeechCapability.ts"
import { makeTranscriptionCapability } from "./makeTranscriptionCapability.ts"
import { makeVideoCapability } from "./makeVideoCapability.ts"
import { mediaLimits, type MediaLimits, mediaLimitTypes } from "./mediaLimits.ts"
import { parseVideoStorage } from "./VideoStorage.ts"

/** The project, the location and what gets access tokens. */
export interface VertexOptions extends MediaLimits {
  /** The id of the project in Google Cloud. */
  readonly project: string
  /** `global`, `us`, `eu`, or a region such as `us-central1`. */
  readonly location: string
  /**
   * Gets an OAuth access token, such as `() => auth.getAccessToken()` with `GoogleAuth` of `google-auth-library`. Null: only
   * customers' own credentials are used, which are access tokens.
   */
  readonly token: TokenProvider | null
  /** The provider's slug in `only`, `ignore`, `order` and in the catalog. Default `google-vertex`. */
  readonly slug?: string | undefined
  /** The `provider` that answers show. Default `Google Vertex`. */
  readonly name?: string | undefined
  /** The URL under which `/v1` and `/v1beta1` are. Default: the URL of the location. */
  readonly baseUrl?: string | undefined
  /**
   * The folder in Google Cloud Storage that Veo writes videos to, such as `gs://my-bucket/videos`. The token must be allowed
   * to write and read there. Default: no videos.
   */
  readonly videoStorage?: string | undefined
  /** The URL of Google Cloud Storage. Default `https://storage.googleapis.com`. */
  readonly storageUrl?: string | undefined
  /** What is known about Gemini models better than in this package, by the beginning of their names. */
  readonly geminiModels?: GeminiModels | undefined
  /** The same for Claude. */
  readonly claudeModels?: MessagesModels | undefined
  /** See `makeChatDecisions`. Default 0.5. */
  readonly minLabelMass?: number | undefined
}

const optionTypes: OptionTypes<VertexOptions> = {
  project: ["string"],
  location: ["string"],
  token: ["function", "null"],
  slug: ["string"],
  name: ["string"],
  baseUrl: ["string"],
  videoStorage: ["string"],
  storageUrl: ["string"],
  geminiModels: ["object"],
  claudeModels: ["object"],
  minLabelMass: ["number"],
  ...mediaLimitTypes
}

/**
 * Chats and Decisions with the models of Vertex AI, each by its own API: Gemini by `generateContent`, Claude
 * (`claude-…@date`) by Messages, others (`publisher/model`) by OpenAI's chat completions. `model` of an endpoint is
 * the id of the model there. An access token is shared by all requests, refreshed before it expires, and once when it is
 * refused. Media must not be URLs for Claude.
 *
 * **Videos** are made by Veo, if there is a `videoStorage`. A call that Veo cannot express, such as an image that is not in a
 * `data:` address or the continuation of a video, is an `unsupported_parameter`, and nothing is sent.
 *
 * **Images** are made by Imagen (`imagen-…`) with `predict`, and by Gemini with `generateContent`.
 *
 * **Speech** and **transcriptions** are made by Gemini's models for them, with `generateContent`.
 *
 * Throws a `RangeError` for an unknown option, or one of the wrong type or out of range.
 *
 * @example
 * ```ts
 * import { vertex } from "@signalbox/google"
 *
 * const upstream = vertex({
 *   project: "my-project",
 *   location: "global",
 *   token: async () => ({ token: "ya29.…", expiresAt: Date.now() + 3_600_000 })
 * })
 * ```
 */
export const vertex = (options: VertexOptions): Upstream => {
  checkOptionTypes("vertex", options, optionTypes)
  const { claudeModels, geminiModels, location, minLabelMass, project, token } = options
  if (!/^[a-z][a-z0-9.:-]{1,100}$/.test(project)) {
    throw new RangeError(`project must be the id of a project in Google Cloud, got "${project}"`)
  }
  if (!/^[a-z]+(?:-[a-z]+\d+)?$/.test(location)) {
    throw new RangeError(
      `location must be global, us, eu or a region such as us-central1, got "${location}"`
    )
  }
  if (token === undefined) {
    throw new RangeError(
      "vertex: token is missing. Pass a function that gets an access token; to use only customers' own credentials, pass token: null"
    )
  }
  const baseUrl = (options.baseUrl ?? `https://${getHost(location)}`).replace(/\/+$/, "")
  if (!/^https?:\/\/[^/]/i.test(baseUrl)) {
    throw new RangeError("baseUrl must be an address such as https://aiplatform.googleapis.com")
  }
  const { storageUrl = "https://storage.googleapis.com", videoStorage } = options
  if (!/^https?:\/\/[^/]/i.test(storageUrl)) {
    throw new RangeError("storageUrl must be an address such as https://storage.googleapis.com")
  }
  const storage = videoStorage === undefined ? undefined : parseVideoStorage(videoStorage)
  if (videoStorage !== undefined && storage === undefined) {
    throw new RangeError(`videoStorage must be like gs://my-bucket/videos, got "${videoStorage}"`)
  }
  const limits = mediaLimits(options)
  const place = `projects/${project}/locations/${location}`
  const common = {
    ...limits,
    apiKey: undefined,
    headers: {},
    signer: token === null ? undefined : makeTokenSigner(token)
  }
  const modelsUrl = `${baseUrl}/v1beta1/${place}/publishers/google/models`
  const gemini = makeGeminiChat({
    ...common,
    modelsUrl,
    models: geminiModels
  })
  const claude = makeMessagesChat({
    ...common,
    getUrl: (model, isStreamed) =>
      `${baseUrl}/v1/${place}/publishers/anthropic/models/${encodeURIComponent(model).replaceAll("%40", "@")}:${isStreamed ? "streamRawPredict" : "rawPredict"}`,
    bodyVersion: "vertex-2023-10-16",
    takesUrls: false,
    models: claudeModels
  })
  const others = makeChatCompletions({
    ...common,
    url: `${baseUrl}/v1/${place}/endpoints/openapi/chat/completions`,
    fit: makeChatFit(() => ({ reasoningParameters: ["reasoning_effort"] })),
    maxOutputTokens: limits.maxOutputTokens ?? 65_536
  })
  const chat = chooseChat((model) => {
    if (model.startsWith("claude-")) return claude
    return model.includes("/") ? others : gemini
  })
  return {
    slug: options.slug ?? "google-vertex",
    name: options.name ?? "Google Vertex",
    // Regions cost more: https://cloud.google.com/vertex-ai/generative-ai/pricing
    ...(options.baseUrl === undefined && location === "global"
      ? { listedAs: "google-vertex" }
      : undefined),
    chat,
    decisions: makeChatDecisions(chat, {
      maxImageTokens: limits.maxImageTokens,
      minLabelMass,
      assumedParameters: (model) => (model.includes("/") ? undefined : thinkingParameters)
    }),
    images: makeImageCapability({
      ...common,
      modelsUrl,
      imagenUrl: `${baseUrl}/v1/${place}/publishers/google/models`
    }),
    speech: makeSpeechCapability({ ...common, modelsUrl }),
    transcription: makeTranscriptionCapability({ ...common, modelsUrl }),
    ...(storage === undefined
      ? undefined
      : {
          videos: makeVideoCapability({
            modelsUrl: `${baseUrl}/v1/${place}/publishers/google/models`,
            storageUrl: storageUrl.replace(/\/+$/, ""),
            storage,
            signer: common.signer
          })
        })
  }
}

const getHost = (location: string): string => {
  if (location === "global") return "aiplatform.googleapis.com"
  return location === "us" || location === "eu"
    ? `aiplatform.${location}.rep.googleapis.com`
    : `${location}-aiplatform.googleapis.com`
}
