/** Reads a video request from JSON: the one way in, for HTTP and for calls in process. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { findMediaProblem } from "../outbound/findMediaProblem.ts"
import { unknownKey } from "../routing/Preferences.ts"
import type { SettingsShape } from "../Settings.ts"
import { parseJson } from "../values/parseJson.ts"
import { InvalidRequest, RequestTooLarge } from "../values/RequestErrors.ts"
import { schemaProblem } from "../values/schemaProblem.ts"
import { VideoRequest } from "./VideoRequest.ts"

/** A video request, checked and measured. */
export interface ParsedVideo {
  readonly request: VideoRequest
  /** UTF-8 bytes of the whole request. */
  readonly bytes: number
}

export interface ParseOptions {
  /** UTF-8 bytes of its text. */
  readonly bytes: number
  /** The `x-session-id` header; a session in the body wins over it. */
  readonly session?: string | undefined
  readonly settings: SettingsShape
}

const decode = Schema.decodeUnknownResult(VideoRequest)

export const parseVideoRequest = (
  text: string,
  options: ParseOptions
): Result.Result<ParsedVideo, InvalidRequest | RequestTooLarge> =>
  Result.flatMap(parseJson(text, options.settings.maxJsonDepth), (json) =>
    readVideoRequest(json, options)
  )

/** The same of what was parsed already. */
export const readVideoRequest = (
  json: unknown,
  { bytes, session, settings }: ParseOptions
): Result.Result<ParsedVideo, InvalidRequest | RequestTooLarge> => {
  if (!Predicate.isObject(json) || Array.isArray(json)) {
    return invalid([], "the body must be a JSON object")
  }
  const given = json
  const setting =
    given["frame_images"] === undefined && given["input_references"] === undefined
      ? "bodyLimitBytes"
      : "imageBodyLimitBytes"
  const limitBytes = settings[setting]
  if (bytes > limitBytes) return Result.fail(new RequestTooLarge({ limitBytes, setting }))
  const { provider } = given
  if (Predicate.isObject(provider)) {
    const { options: _, ...preferences }: Record<PropertyKey, unknown> = provider
    const key = unknownKey(preferences)
    if (key !== undefined) return invalid(["provider", ...key], "unknown routing preference")
  }
  const decoded = decode(
    session === undefined || given["session_id"] !== undefined
      ? given
      : { ...given, session_id: session }
  )
  if (Result.isFailure(decoded)) return Result.fail(schemaProblem(decoded.failure))
  const request = decoded.success
  for (const name of ["frame_images", "input_references"] as const) {
    const found = findMediaProblem(request[name], settings)
    if (found !== undefined) return invalid([name, ...found.path], found.problem)
  }
  return Result.succeed({ request, bytes })
}

const invalid = (path: ReadonlyArray<string | number>, problem: string) =>
  Result.fail(new InvalidRequest({ path, problem }))
