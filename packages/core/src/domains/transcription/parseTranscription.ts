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
  requireJsonObject
} from "../../routing/parseRequest.ts"
import { type ProviderOptions, decodeWithProviderOptions } from "../../routing/providerOptions.ts"
import { fileTypes, findFileName } from "../../values/audio/AudioContainer.ts"
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
  const decoded = decodeWithProviderOptions(decode, given, known, options)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  const { parameters, providerOptions, request } = decoded.success
  const isVerbose = request.response_format === "verbose_json"
  if (!isVerbose && (request.timestamp_granularities?.length ?? 0) > 0) {
    return failInvalid(["timestamp_granularities"], "needs response_format verbose_json")
  }
  const ignored = listUnknownFields(
    given["input_audio"],
    { data: true, format: true },
    ["input_audio"],
    decoded.success.ignored
  )
  return Result.succeed({
    request,
    ...(ignored === undefined ? undefined : { ignored }),
    items: [audio],
    audio,
    length: findAudioMillis(audio.bytes),
    isVerbose,
    parameters,
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
  name: string,
  path: ReadonlyArray<string>
): Result.Result<AudioFile, InvalidRequest> => {
  const given = name.toLowerCase()
  if (!/^[a-z\d]{1,8}$/.test(given)) {
    return failInvalid(path, "must be the name of an audio format, such as wav or mp3")
  }
  const format = findFileName(bytes, [given]) ?? given
  return Result.succeed({ bytes, format, mediaType: fileTypes.get(format) ?? `audio/${format}` })
}

/** The format of a file is what its bytes say, else the ending of its name, else what its content type says. */
export const toUploadedAudio = ({ bytes, contentType, filename }: UploadedAudio): AudioFile => {
  const [, ending] = /\.([a-z\d]{1,8})$/.exec(filename.toLowerCase()) ?? []
  const isAudio = /^(?:audio|video)\/[\w.+-]{1,40}$/.test(contentType)
  const named = isAudio ? findFormat(contentType) : undefined
  const names = [ending, named].filter((name) => name !== undefined)
  // An ending that is not known, such as that of `voice.message`, says less than a type.
  const format =
    findFileName(
      bytes,
      names.toSorted((one, other) => Number(fileTypes.has(other)) - Number(fileTypes.has(one)))
    ) ?? "wav"
  const isToldType = isAudio && (format === ending || format === named)
  return {
    bytes,
    format,
    mediaType: isToldType ? contentType : (fileTypes.get(format) ?? "application/octet-stream")
  }
}

const findFormat = (contentType: string): string | undefined =>
  [...fileTypes].find(([, type]) => type === contentType)?.[0] ??
  /^[a-z]+\/(?:x-)?([a-z\d]{1,8})$/.exec(contentType)?.[1]
