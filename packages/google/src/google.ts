/** An upstream with the Gemini API of Google AI Studio. */
import { type GeminiModels, makeGeminiChat, thinkingParameters } from "@signalbox/core/dialects"
import {
  checkOptionTypes,
  makeChatDecisions,
  makeProbe,
  type OptionTypes,
  resolveHostKey,
  type Upstream
} from "@signalbox/core/upstream"
import type * as Redacted from "effect/Redacted"
import { makeGeminiEmbeddings } from "./makeGeminiEmbeddings.ts"
import { makeImageCapability } from "./makeImageCapability.ts"
import { makeSpeechCapability } from "./makeSpeechCapability.ts"
import { makeTranscriptionCapability } from "./makeTranscriptionCapability.ts"
import { mediaLimits, type MediaLimits, mediaLimitTypes } from "./mediaLimits.ts"

/** An `apiKey`, unless `baseUrl` is another server. */
export interface GoogleOptions extends MediaLimits {
  /**
   * Sent as `x-goog-api-key`. Required for Google itself; null means that only customers' own credentials are used there.
   */
  readonly apiKey?: string | Redacted.Redacted | null | undefined
  /** The provider's slug in `only`, `ignore`, `order` and in the catalog. Default `google-ai-studio`. */
  readonly slug?: string | undefined
  /** The `provider` that answers show. Default `Google AI Studio`. */
  readonly name?: string | undefined
  /** The URL under which `/models` is. Default `https://generativelanguage.googleapis.com/v1beta`. */
  readonly baseUrl?: string | undefined
  /** Sent with every call, in addition to the key. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** What is known about models better than in this package, by the beginning of their names. */
  readonly models?: GeminiModels | undefined
  /** See `makeChatDecisions`. Default 0.5. */
  readonly minLabelMass?: number | undefined
}

const googleUrl = "https://generativelanguage.googleapis.com/v1beta"

const optionTypes: OptionTypes<GoogleOptions> = {
  apiKey: ["string", "object", "null"],
  slug: ["string"],
  name: ["string"],
  baseUrl: ["string"],
  headers: ["object"],
  models: ["object"],
  minLabelMass: ["number"],
  ...mediaLimitTypes
}

/**
 * **Chats** are translated to `generateContent` and its stream. `model` of an endpoint is the name of the model,
 * such as `gemini-3-flash`. Thoughts, their signatures, calls, safety blocks and all counts of tokens are translated back.
 *
 * **Decisions** are answered by chat, as `makeChatDecisions` describes: by logprobs where the endpoint's
 * `supportedParameters` list them, else by structured output.
 *
 * **Embeddings** are made by `embedContent`, or `batchEmbedContents` for up to 100 inputs. `input_type` becomes `taskType`
 * (`search_query` is `RETRIEVAL_QUERY`), `dimensions` becomes `outputDimensionality`. Token ids, media that are not in a
 * `data:` address, and further parameters are an `unsupported_parameter`, and nothing is sent.
 *
 * **Images** are made by Imagen (`imagen-…`) with `predict`, up to four at once, and by Gemini with `generateContent`, which takes
 * references. What the API cannot express is an `unsupported_parameter`, and nothing is sent.
 *
 * **Speech** is made by Gemini's models for it (`gemini-…-tts`), as samples or as a WAV file, and **transcriptions** by those for
 * them (`gemini-…-transcribe`), both with `generateContent`.
 *
 * Throws a `RangeError` for an unknown option, or one of the wrong type or out of range.
 *
 * @example
 * ```ts
 * import { google } from "@signalbox/google"
 *
 * const upstream = google({ apiKey: process.env.GEMINI_API_KEY })
 * ```
 */
export const google = (options: GoogleOptions = {}): Upstream => {
  checkOptionTypes("google", options, optionTypes)
  const { headers, minLabelMass, models } = options
  const baseUrl = (options.baseUrl ?? googleUrl).replace(/\/+$/, "")
  if (!/^https?:\/\/[^/]/i.test(baseUrl)) {
    // The URL may hold a password, so the error does not repeat it.
    throw new RangeError(`baseUrl must be an address such as ${googleUrl}`)
  }
  const limits = mediaLimits(options)
  const endpoint = {
    ...limits,
    modelsUrl: `${baseUrl}/models`,
    keyHeader: "x-goog-api-key",
    apiKey: resolveHostKey({
      upstreamName: "google",
      apiKey: options.apiKey,
      url: baseUrl,
      keyRequiredHost: "generativelanguage.googleapis.com"
    }),
    headers
  }
  const chat = makeGeminiChat({ ...endpoint, models })
  return {
    slug: options.slug ?? "google-ai-studio",
    name: options.name ?? "Google AI Studio",
    ...(baseUrl === googleUrl ? { listedAs: "google", authors: ["google"] } : undefined),
    chat,
    probe: makeProbe({
      url: `${endpoint.modelsUrl}?pageSize=1`,
      apiKey: endpoint.apiKey,
      keyHeader: endpoint.keyHeader,
      headers
    }),
    decisions: makeChatDecisions(chat, {
      maxImageTokens: limits.maxImageTokens,
      minLabelMass,
      assumedParameters: thinkingParameters
    }),
    embeddings: makeGeminiEmbeddings(endpoint),
    images: makeImageCapability(endpoint),
    speech: makeSpeechCapability(endpoint),
    transcription: makeTranscriptionCapability(endpoint)
  }
}
