/** Speech at a server with OpenAI's speech API: https://platform.openai.com/docs/api-reference/audio/createSpeech. */
import * as Stream from "effect/Stream"
import { countUtf8Bytes } from "../../../values/json/JsonCost.ts"
import type { AudioFormat } from "../../../values/audio/AudioFormat.ts"
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import type { SpeechCall, SpeechCapability, SpeechEvent } from "../SpeechCapability.ts"
import { postForBytes } from "../transport/postForBytes.ts"
import type { UpstreamRequest } from "../transport/UpstreamRequest.ts"

/** A server with OpenAI's speech API. */
export interface SpeechEndpoint extends Pick<
  UpstreamRequest,
  "url" | "apiKey" | "keyHeader" | "headers" | "signer"
> {
  /** Whether it needs the name of a voice. Default: false. */
  readonly needsVoice?: boolean | undefined
  /** The formats that it makes. Default: any. */
  readonly formats?: ReadonlyArray<AudioFormat> | undefined
  /** Whether it takes `input_references`, as OpenRouter does. Default: false, and such calls cannot be sent. */
  readonly takesReferences?: boolean | undefined
  /** The header with the id of an answer. Default: `x-request-id`. */
  readonly idHeader?: string | undefined
}

/** The credential of a call takes precedence over `apiKey` and `signer`. */
export const makeSpeech = (endpoint: SpeechEndpoint): SpeechCapability => {
  const { apiKey, formats, headers, idHeader = "x-request-id", keyHeader, signer, url } = endpoint
  const { takesReferences = false } = endpoint
  return {
    speak: (call) => {
      if (call.reference !== undefined && !takesReferences) return Stream.fail(withoutReferences)
      let id: string | undefined
      const bytes = postForBytes(
        {
          url,
          apiKey: call.credential ?? apiKey,
          keyHeader,
          headers,
          signer: call.credential === undefined ? signer : undefined,
          body: toBody(call)
        },
        ({ contentType, headers }) => {
          id = headers[idHeader]
          return isAudio(contentType) ? undefined : "the answer is no audio"
        }
      )
      return bytes.pipe(
        Stream.filter(({ length }) => length > 0),
        Stream.map((bytes): SpeechEvent => ({ type: "audio", bytes })),
        Stream.concat(
          Stream.sync((): SpeechEvent => ({
            type: "end",
            ...(id === undefined ? undefined : { id })
          }))
        )
      )
    },
    ...(formats === undefined ? undefined : { formats }),
    ...(endpoint.needsVoice === true ? { needsVoice: true } : undefined),
    estimateWorstCase: estimateSpeechWorstCase
  }
}

/** Servers without a type of their own for samples send bytes. */
const isAudio = (contentType: string): boolean =>
  /^audio\/|^(?:application|binary)\/octet-stream$/.test(contentType) || contentType === ""

const withoutReferences = new UpstreamFailure({
  kind: "unsupported_parameter",
  detail: "input_references: the server does not imitate voices"
})

const toBody = (call: SpeechCall) => {
  const { format, input, instructions, isOwnVoice, model, parameters, reference, speed } = call
  // Events would not be audio.
  const { stream_format: _, ...options } = parameters
  return {
    ...options,
    model,
    input,
    ...(call.voice === undefined
      ? undefined
      : { voice: isOwnVoice === true ? { id: call.voice } : call.voice }),
    response_format: format,
    ...(instructions === undefined ? undefined : { instructions }),
    ...(speed === undefined ? undefined : { speed }),
    ...(reference === undefined ? undefined : { input_references: toReferences(reference) })
  }
}

const toReferences = ({ data, format, text }: NonNullable<SpeechCall["reference"]>) => [
  {
    type: "input_audio",
    input_audio: { data, ...(format === undefined ? undefined : { format }) }
  },
  ...(text === undefined ? [] : [{ type: "text", text }])
]

/**
 * A token has at least one byte. Speech has about 21 tokens a second at OpenAI (https://platform.openai.com/docs/pricing) and
 * 25 at Google (https://ai.google.dev/gemini-api/docs/speech-generation), and a character takes a fifteenth of a second; the
 * slowest voices take ten times as long.
 */
export const estimateSpeechWorstCase = ({
  input,
  instructions = "",
  parameters
}: SpeechCall): TokenUsage => {
  const bytes = countUtf8Bytes(input)
  const others = countUtf8Bytes(instructions) + countUtf8Bytes(JSON.stringify(parameters))
  return { inputTokens: bytes + others + 100, outputTokens: 500 + bytes * 17 }
}
