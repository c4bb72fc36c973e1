/** Parses requests of transcriptions, for JSON, for forms and for calls in process. */
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { AudioFile } from "../../engine/upstreams/TranscriptionCapability.ts"
import type { SettingsShape } from "../../instance/Settings.ts"
import type { OneModelRequest } from "../../routing/parseOneModelRequest.ts"
import {
  failInvalid,
  listUnknownFields,
  omitNull,
  type ParseOptions,
  type ParseResult,
  requireJsonObject,
  selectFields
} from "../../routing/parseRequest.ts"
import { type ProviderOptions, decodeWithProviderOptions } from "../../routing/providerOptions.ts"
import { type AudioLength, findAudioMillis } from "../../values/audio/findAudioMillis.ts"
import { type InvalidRequest, RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import { makeFastDecoder } from "../../values/validation/makeFastDecoder.ts"
import { transcriptionFields } from "./TranscriptionRequest.ts"

const RoutedFields = Schema.Struct(transcriptionFields)
const decode = makeFastDecoder(RoutedFields)
const known = new Set([...Object.keys(transcriptionFields), "input_audio", "stream"])

/** A valid request, whose only item is its recording. */
export interface ParsedTranscription extends OneModelRequest<typeof RoutedFields.Type, AudioFile> {
  readonly audio: AudioFile
  readonly length: AudioLength
  readonly isVerbose: boolean
  /** Fields beside the recording that no provider is sent; absent: none. */
  readonly ignored?: ReadonlyArray<string>
  readonly providerOptions: ProviderOptions
}

/** A part of a form that is a file. */
export interface UploadedAudio {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Decodes fields and a recording that are apart. A field that is null counts as absent, because clients mean that. */
export const decodeTranscription = (
  json: unknown,
  audio: AudioFile,
  options: ParseOptions
): ParseResult<ParsedTranscription> => {
  const body = requireJsonObject(json)
  if (Result.isFailure(body)) return Result.fail(body.failure)
  const given = omitNull(body.success)
  const { models, response_format: format, stream } = given
  if (audio.bytes.length === 0) return failInvalid(["file"], "is empty")
  const { maxAudioBytes } = options.settings
  if (audio.bytes.length > maxAudioBytes) {
    return Result.fail(new RequestTooLarge({ limitBytes: maxAudioBytes, setting: "maxAudioBytes" }))
  }
  if (models !== undefined) {
    return failInvalid(["models"], "must be left out, because one model answers the whole request")
  }
  if (stream !== undefined && stream !== false) {
    return failInvalid(["stream"], "must be left out, because the answer is not streamed")
  }
  if (typeof format === "string" && otherFormats.has(format)) {
    return failInvalid(["response_format"], "must be json or verbose_json")
  }
  const decoded = decodeWithProviderOptions(decode, given, options)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  const { providerOptions, request } = decoded.success
  const isVerbose = request.response_format === "verbose_json"
  if (!isVerbose && (request.timestamp_granularities?.length ?? 0) > 0) {
    return failInvalid(["timestamp_granularities"], "needs response_format verbose_json")
  }
  const ignored = listUnknownFields(given["input_audio"], { data: true, format: true }, [
    "input_audio"
  ])
  return Result.succeed({
    request,
    ...(ignored === undefined ? undefined : { ignored }),
    items: [audio],
    audio,
    length: findAudioMillis(audio.bytes),
    isVerbose,
    parameters: selectFields(given, (name) => !known.has(name)),
    providerOptions,
    bytes: options.bytes
  })
}

/** OpenAI's formats that are no JSON. */
const otherFormats: ReadonlySet<string> = new Set(["text", "srt", "vtt", "diarized_json"])

/** Decodes JSON that has been read already, with the recording in base64. */
export const decodeTranscriptionRequest = (
  json: unknown,
  options: ParseOptions
): ParseResult<ParsedTranscription> => {
  const body = requireJsonObject(json)
  if (Result.isFailure(body)) return Result.fail(body.failure)
  const audio = parseInputAudio(body.success["input_audio"], options.settings)
  return Result.isFailure(audio)
    ? Result.fail(audio.failure)
    : decodeTranscription(json, audio.success, options)
}

const isInputAudio = Schema.is(Schema.Struct({ data: Schema.String, format: Schema.String }))

const parseInputAudio = (
  value: unknown,
  { maxAudioBytes }: SettingsShape
): Result.Result<AudioFile, InvalidRequest | RequestTooLarge> => {
  if (!isInputAudio(value)) {
    return failInvalid(["input_audio"], "must have data, which is base64, and format, such as wav")
  }
  const { data, format } = value
  // Base64 has four characters for three bytes.
  if (data.length > Math.ceil(maxAudioBytes / 3) * 4 + 4) {
    return Result.fail(new RequestTooLarge({ limitBytes: maxAudioBytes, setting: "maxAudioBytes" }))
  }
  const bytes = Base64.decode(data)
  return Result.isFailure(bytes)
    ? failInvalid(["input_audio", "data"], "must be base64, without data: before it")
    : toAudioFile(new Uint8Array(bytes.success), format, ["input_audio", "format"])
}

/** A recording in a format that its caller names. */
export const toAudioFile = (
  bytes: Uint8Array<ArrayBuffer>,
  format: string,
  path: ReadonlyArray<string>
): Result.Result<AudioFile, InvalidRequest> => {
  const name = format.toLowerCase()
  return /^[a-z\d]{1,8}$/.test(name)
    ? Result.succeed({ bytes, format: name, mediaType: mediaTypes.get(name) ?? `audio/${name}` })
    : failInvalid(path, "must be the name of an audio format, such as wav or mp3")
}

/** The format of a file is the ending of its name, else what its content type says. */
export const toUploadedAudio = ({ bytes, contentType, filename }: UploadedAudio): AudioFile => {
  const [, ending] = /\.([a-z\d]{1,8})$/i.exec(filename) ?? []
  const isAudio = /^(?:audio|video)\/[\w.+-]{1,40}$/.test(contentType)
  const format = ending?.toLowerCase() ?? (isAudio ? findFormat(contentType) : undefined) ?? "wav"
  return {
    bytes,
    format,
    mediaType: isAudio ? contentType : (mediaTypes.get(format) ?? "application/octet-stream")
  }
}

const mediaTypes: ReadonlyMap<string, string> = new Map([
  ["wav", "audio/wav"],
  ["mp3", "audio/mpeg"],
  ["mpga", "audio/mpeg"],
  ["mpeg", "audio/mpeg"],
  ["m4a", "audio/mp4"],
  ["mp4", "audio/mp4"],
  ["ogg", "audio/ogg"],
  ["oga", "audio/ogg"],
  ["opus", "audio/ogg"],
  ["webm", "audio/webm"],
  ["flac", "audio/flac"],
  ["aac", "audio/aac"],
  ["aiff", "audio/aiff"]
])

const findFormat = (contentType: string): string | undefined =>
  [...mediaTypes].find(([, type]) => type === contentType)?.[0] ??
  /^[a-z]+\/(?:x-)?([a-z\d]{1,8})$/.exec(contentType)?.[1]
