/** Parses video requests, for HTTP and for calls in process. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { findMediaProblem } from "../../../engine/outbound/findMediaProblem.ts"
import {
  decodeFields,
  failInvalid,
  findSizeProblem,
  listUnknownFields,
  makeTextParser,
  type ParseOptions,
  type ParseResult,
  requireJsonObject
} from "../../../routing/parseRequest.ts"
import type { Screenable } from "../../../routing/filters/ContentFilters.ts"
import { findPreferenceProblem } from "../../../routing/Preferences.ts"
import { isObject, toList } from "../../../values/json/guards.ts"
import { VideoRequest } from "./VideoRequest.ts"

/** A valid video request and its size. */
export interface ParsedVideoRequest extends Screenable {
  readonly request: VideoRequest
  /** Fields that a video does not have, which are ignored; absent: none. */
  readonly ignored?: ReadonlyArray<string>
  /** UTF-8 bytes of the whole request. */
  readonly bytes: number
}

const decode = Schema.decodeUnknownResult(VideoRequest)

/** Parses JSON that has been read already. */
export const decodeVideoRequest = (
  json: unknown,
  options: ParseOptions
): ParseResult<ParsedVideoRequest> => {
  const body = requireJsonObject(json)
  if (Result.isFailure(body)) return Result.fail(body.failure)
  const { frame_images, input_references, provider } = body.success
  const hasImages = frame_images !== undefined || input_references !== undefined
  const problem =
    findSizeProblem(options, hasImages ? "maxImageBodyBytes" : "maxBodyBytes") ??
    findPreferenceProblem(
      Predicate.isObject(provider) ? Struct.omit(provider, ["options"]) : undefined
    )
  if (problem !== undefined) return Result.fail(problem)
  const decoded = decodeFields(decode, body.success, options)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  const request = decoded.success
  for (const name of ["frame_images", "input_references"] as const) {
    const found = findMediaProblem(request[name], options.settings)
    if (found !== undefined) return failInvalid([name, ...found.path], found.problem)
  }
  // A provider is sent its own options as they are.
  const path = ["provider", "options"]
  const found = findMediaProblem(request.provider?.options, options.settings, "options")
  if (found !== undefined) return failInvalid([...path, ...found.path], found.problem)
  const ignored = listIgnored(body.success)
  return Result.succeed({
    request,
    ...(ignored === undefined ? undefined : { ignored }),
    bytes: options.bytes
  })
}

const listIgnored = (
  body: Readonly<Record<string, unknown>>
): ReadonlyArray<string> | undefined => {
  let ignored = listUnknownFields(body, VideoRequest.fields)
  for (const name of ["frame_images", "input_references"]) {
    for (const [index, reference] of toList(body[name]).entries()) {
      const path = [name, String(index)]
      ignored = listUnknownFields(reference, referenceFields, path, ignored)
      for (const kind of ["audio_url", "image_url", "video_url"]) {
        const linked = isObject(reference) ? reference[kind] : undefined
        ignored = listUnknownFields(linked, { url: true }, [...path, kind], ignored)
      }
    }
  }
  return ignored
}

const referenceFields = {
  type: true,
  frame_type: true,
  audio_url: true,
  image_url: true,
  video_url: true
}

/** What a provider is not sent whose API has no place for these fields, and types of references. */
export const listOmittedFields = (
  request: VideoRequest,
  omitted: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const references = request.input_references ?? []
  return [
    ...omitted.filter((name) => Object.hasOwn(request, name)),
    ...references.flatMap(({ type }, at) =>
      omitted.includes(type) ? [`input_references.${at}`] : []
    )
  ]
}

export const parseVideoRequest = makeTextParser(decodeVideoRequest)
