/** Parses requests of speech, for HTTP and for calls in process. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { VoiceReference } from "../../engine/upstreams/SpeechCapability.ts"
import type { Screenable } from "../../routing/filters/ContentFilters.ts"
import {
  failInvalid,
  listUnknownFields,
  omitNull,
  type ParseOptions,
  type ParseResult,
  requireJsonObject
} from "../../routing/parseRequest.ts"
import { decodeWithProviderOptions, type ProviderOptions } from "../../routing/providerOptions.ts"
import type { AudioFormat } from "../../values/audio/AudioFormat.ts"
import { RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { makeFastDecoder } from "../../values/validation/makeFastDecoder.ts"
import { speechFields } from "./SpeechRequest.ts"

const RoutedFields = Schema.Struct(speechFields)
const decode = makeFastDecoder(RoutedFields)
const known = new Set([...Object.keys(speechFields), "stream", "stream_format"])

/** A valid request, with the fields of the router apart from the parameters of the model. */
export interface ParsedSpeech extends Screenable {
  readonly request: typeof RoutedFields.Type
  readonly format: AudioFormat
  /** The length of the input in code points, which is what it costs. */
  readonly characters: number
  readonly reference?: VoiceReference
  /** Fields that no provider is sent; absent: none. */
  readonly ignored?: ReadonlyArray<string>
  /** Further parameters of the model, as the caller wrote them. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly providerOptions: ProviderOptions
  /** UTF-8 bytes of the whole request. */
  readonly bytes: number
}

/** Makes speech of JSON that has been read already. A field that is null counts as absent, because clients mean that. */
export const decodeSpeechRequest = (
  json: unknown,
  options: ParseOptions
): ParseResult<ParsedSpeech> => {
  const body = requireJsonObject(json)
  if (Result.isFailure(body)) return Result.fail(body.failure)
  const given = omitNull(body.success)
  const { input_references: references, models, stream, stream_format: streamed } = given
  const plainBytes = references === undefined ? options.settings.maxBodyBytes : undefined
  if (plainBytes !== undefined && options.bytes > plainBytes) {
    return Result.fail(new RequestTooLarge({ limitBytes: plainBytes, setting: "maxBodyBytes" }))
  }
  if (models !== undefined) {
    return failInvalid(["models"], "must be left out, because voices belong to one model")
  }
  if (
    (stream !== undefined && stream !== false) ||
    (streamed !== undefined && streamed !== "audio")
  ) {
    const name = streamed === undefined || streamed === "audio" ? "stream" : "stream_format"
    return failInvalid([name], "must be left out: the audio is streamed as bytes, without events")
  }
  const decoded = decodeWithProviderOptions(decode, given, known, options)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  const { parameters, providerOptions, request } = decoded.success
  const reference = parseReference(request.input_references)
  if (Result.isFailure(reference)) return Result.fail(reference.failure)
  const ignored = listIgnored(references, decoded.success.ignored)
  return Result.succeed({
    request,
    ...(ignored === undefined ? undefined : { ignored }),
    format: request.response_format ?? "pcm",
    characters: countCharacters(request.input),
    ...(reference.success === undefined ? undefined : { reference: reference.success }),
    parameters,
    providerOptions,
    bytes: options.bytes
  })
}

/** Adds the fields of references that are lost to `found`. */
const listIgnored = (
  references: unknown,
  found: Array<string> | undefined
): ReadonlyArray<string> | undefined => {
  let ignored = found
  for (const [index, reference] of toList(references).entries()) {
    const path = ["input_references", String(index)]
    const audio = isObject(reference) ? reference["input_audio"] : undefined
    ignored = listUnknownFields(
      reference,
      { type: true, input_audio: true, text: true },
      path,
      ignored
    )
    ignored = listUnknownFields(audio, audioFields, [...path, "input_audio"], ignored)
  }
  return ignored
}

const audioFields = { data: true, format: true }

/** Characters are code points, so that an emoji is one, however many units it takes in UTF-16. */
const countCharacters = (text: string): number => {
  let count = text.length
  for (let at = 0; at < text.length; at++) {
    // The second half of a pair.
    if (text.codePointAt(at)! > 0xffff) {
      count--
      at++
    }
  }
  return count
}

/** As the fields of https://openrouter.ai/docs/api-reference/tts say: characters of base64, and of the text. */
const maxReferenceCharacters = 20_971_520
const maxReferenceText = 10_000

const parseReference = (
  references: (typeof RoutedFields.Type)["input_references"]
): ParseResult<VoiceReference | undefined> => {
  if (references === undefined || references.length === 0) return Result.succeed(undefined)
  const path = ["input_references"]
  let audio: { readonly data: string; readonly format?: string } | undefined
  let text: string | undefined
  for (const [index, reference] of references.entries()) {
    if (reference.type === "text") {
      if (text !== undefined) return failInvalid([...path, index], "must be the only text")
      if (reference.text.length > maxReferenceText) {
        return failInvalid([...path, index, "text"], `has more than ${maxReferenceText} characters`)
      }
      text = reference.text
      continue
    }
    if (audio !== undefined) return failInvalid([...path, index], "must be the only recording")
    audio = reference.input_audio
    const place = [...path, index, "input_audio", "data"]
    if (audio.data.length > maxReferenceCharacters) {
      return failInvalid(place, `has more than ${maxReferenceCharacters} characters`)
    }
    if (!/^[\w+/-]+={0,2}$/.test(audio.data)) return failInvalid(place, "must be base64")
  }
  return audio === undefined
    ? failInvalid(path, "must have a recording of the voice (input_audio)")
    : Result.succeed({ ...audio, ...(text === undefined ? undefined : { text }) })
}
