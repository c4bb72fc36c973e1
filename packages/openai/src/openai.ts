/** An upstream with OpenAI's API, for chats, Decisions, embeddings, images, speech, transcriptions and videos. */
import { litellmIds } from "@signalbox/core/dialects"
import {
  type AudioFormat,
  checkOptionTypes,
  makeSpeech,
  makeTranscription,
  type OptionTypes,
  resolveHostKey,
  type Upstream
} from "@signalbox/core/upstream"
import type * as Redacted from "effect/Redacted"
import { assumeOpenAiParameters } from "./assumeOpenAiParameters.ts"
import { type ChatOptions, chatOptionTypes, toBaseUrl } from "./ChatOptions.ts"
import { makeChatUpstream } from "./makeChatUpstream.ts"
import { listOpenAiParameters } from "./listOpenAiParameters.ts"
import { openAiModel, openAiServerFields } from "./openAiModel.ts"
import { openAiEmbeddings } from "./openAiEmbeddings.ts"
import { makeImageCapability } from "./makeImageCapability.ts"
import { makeVideoCapability } from "./makeVideoCapability.ts"

/** By default the upstream is OpenAI itself, which needs an `apiKey`. */
export interface OpenAiOptions extends ChatOptions {
  /**
   * Sent as `Authorization: Bearer`. Required for OpenAI itself; null means that only customers' own credentials are
   * used there.
   */
  readonly apiKey?: string | Redacted.Redacted | null | undefined
  /** The URL under which `/chat/completions`, `/responses`, `/embeddings`, `/images`, `/audio` and `/videos` are. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined
  /**
   * Whether the server rejects parameters that a model does not support, instead of ignoring them. Then endpoints without
   * `supportedParameters` satisfy `require_parameters`. It counts for the API `chat` only. Default: true for OpenAI itself, false with another `baseUrl`.
   */
  readonly checksParameters?: boolean | undefined
  /**
   * The header for the idempotency key of a video submit, for a server that deduplicates submits by it. Default: no key
   * is sent, and repeating a submit of unknown outcome may create two videos.
   */
  readonly idempotencyHeader?: string | undefined
}

/** https://platform.openai.com/docs/api-reference/audio/createSpeech#audio-createspeech-response_format */
const openAiFormats: ReadonlyArray<AudioFormat> = ["mp3", "opus", "aac", "flac", "wav", "pcm"]

/** The newer models answer with text alone: https://platform.openai.com/docs/guides/speech-to-text#timestamps. */
const isWhisper = (model: string): boolean => !/^gpt-4o(?:-mini)?-transcribe/.test(model)

const openAiUrl = "https://api.openai.com/v1"

const optionTypes: OptionTypes<OpenAiOptions> = {
  apiKey: ["string", "object", "null"],
  baseUrl: ["string"],
  ...chatOptionTypes,
  idempotencyHeader: ["string"]
}

/**
 * **Decisions** are answered by chat, as `makeChatDecisions` describes. If the supported parameters are unknown, the
 * model is asked to state probabilities with a schema, and to choose options if the server rejects it.
 *
 * **Chats** are sent to `POST {baseUrl}/chat/completions` with messages and parameters as the caller wrote them, but OpenAI
 * itself gets no `cache_control` and no reasoning of earlier answers, which it rejects. A stream includes its usage, and is complete with its `[DONE]`, or with the finish reason of each choice. With `api: "responses"` they are translated, sent to
 * `POST {baseUrl}/responses`, and not stored there.
 *
 * **Embeddings** are made by `POST {baseUrl}/embeddings`, with numbers or base64 as the caller asks at OpenAI itself;
 * elsewhere the server decides, and the vectors are converted.
 *
 * **Speech** is made by `POST {baseUrl}/audio/speech`, in the format that the caller asks for, and **transcriptions** by
 * `POST {baseUrl}/audio/transcriptions`, with a form like that of OpenAI's client.
 *
 * **Images** are made by `POST {baseUrl}/images/generations`, and from references by a form to `/images/edits`: files of
 * references at an address are fetched first. An aspect ratio becomes the nearest size of the model. What the API cannot
 * express, such as a `seed`, is an `unsupported_parameter`, and nothing is sent.
 *
 * **Videos** are made by `POST {baseUrl}/videos`, with a form like that of OpenAI's client, and continued by `/remix`.
 * An image in a `data:` address is sent as a file, any other by its address. A call that the API cannot express (a last
 * frame, a second image, `2K`) is an `unsupported_parameter`, and nothing is sent.
 *
 * Failures are `UpstreamFailure`s with the usage so far. Throws a `RangeError` for an unknown option, or one of the
 * wrong type or out of range.
 *
 * @example
 * ```ts
 * import { openai } from "@signalbox/openai"
 *
 * const upstream = openai({ apiKey: process.env.OPENAI_API_KEY })
 *
 * const local = openai({
 *   slug: "vllm",
 *   name: "Our own vLLM",
 *   baseUrl: "http://127.0.0.1:8000/v1"
 * })
 * ```
 */
export const openai = (options: OpenAiOptions = {}): Upstream => {
  checkOptionTypes("openai", options, optionTypes)
  const baseUrl = toBaseUrl(options.baseUrl ?? openAiUrl, openAiUrl)
  const apiKey = resolveHostKey({
    upstreamName: "openai",
    apiKey: options.apiKey,
    url: baseUrl,
    keyRequiredHost: "api.openai.com"
  })
  const { headers, idempotencyHeader, models } = options
  const isOpenAi = baseUrl === openAiUrl
  return {
    ...makeChatUpstream(options, {
      slug: "openai",
      name: "OpenAI",
      baseUrl,
      apiKey,
      checksParameters: isOpenAi,
      embeddings: isOpenAi ? openAiEmbeddings : {},
      ...(isOpenAi
        ? {
            listedAs: "openai",
            authors: ["openai"],
            assumedParameters: assumeOpenAiParameters(models),
            refusedFields: ["reasoning", "reasoning_content", "reasoning_details"],
            takesCacheMarks: false,
            takesToolMedia: false,
            readsThinkTags: false,
            serverFields: openAiServerFields,
            findModel: () => openAiModel
          }
        : { findModel: () => ({ callIds: litellmIds, takesThinkingBlocks: true }) })
    }),
    ...(isOpenAi ? { listParameters: listOpenAiParameters(options) } : undefined),
    speech: makeSpeech({
      url: `${baseUrl}/audio/speech`,
      apiKey,
      headers,
      ...(isOpenAi ? { needsVoice: true, formats: openAiFormats } : undefined)
    }),
    transcription: makeTranscription({
      url: `${baseUrl}/audio/transcriptions`,
      apiKey,
      headers,
      ...(isOpenAi ? { isVerbose: isWhisper } : undefined)
    }),
    images: makeImageCapability({
      baseUrl,
      apiKey,
      headers,
      maxImageTokens: options.maxImageTokens ?? 50_000
    }),
    videos: makeVideoCapability({ baseUrl, apiKey, headers, idempotencyHeader })
  }
}
