/** Parses video requests, for HTTP and for calls in process. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { findMediaProblem } from "../../outbound/findMediaProblem.ts"
import { findUnknownKey } from "../../routing/Preferences.ts"
import type { SettingsShape } from "../../Settings.ts"
import { parseJson } from "../../values/json/parseJson.ts"
import { InvalidRequest, RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import { toInvalidRequest } from "../../values/errors/toInvalidRequest.ts"
import { VideoRequest } from "./VideoRequest.ts"

/** A valid video request and its size. */
export interface ParsedVideoRequest {
  readonly request: VideoRequest
  /** UTF-8 bytes of the whole request. */
  readonly bytes: number
}

export interface ParseOptions {
  /** UTF-8 bytes of the body. */
  readonly bytes: number
  /** The `x-session-id` header; `session_id` in the body takes precedence. */
  readonly session?: string | undefined
  readonly settings: SettingsShape
}

const decode = Schema.decodeUnknownResult(VideoRequest)

export const parseVideoRequest = (
  text: string,
  options: ParseOptions
): Result.Result<ParsedVideoRequest, InvalidRequest | RequestTooLarge> =>
  Result.flatMap(parseJson(text, options.settings.maxJsonDepth), (json) =>
    decodeVideoRequest(json, options)
  )

/** Like `parseVideoRequest`, for parsed JSON. */
export const decodeVideoRequest = (
  json: unknown,
  { bytes, session, settings }: ParseOptions
): Result.Result<ParsedVideoRequest, InvalidRequest | RequestTooLarge> => {
  if (!Predicate.isObject(json) || Array.isArray(json)) {
    return failInvalid([], "the body must be a JSON object")
  }
  const body = json
  const setting =
    body["frame_images"] === undefined && body["input_references"] === undefined
      ? "maxBodyBytes"
      : "maxImageBodyBytes"
  const limitBytes = settings[setting]
  if (bytes > limitBytes) return Result.fail(new RequestTooLarge({ limitBytes, setting }))
  const { provider } = body
  if (Predicate.isObject(provider)) {
    const { options: _, ...preferences }: Record<PropertyKey, unknown> = provider
    const key = findUnknownKey(preferences)
    if (key !== undefined) return failInvalid(["provider", ...key], "unknown routing preference")
  }
  const decoded = decode(
    session === undefined || body["session_id"] !== undefined
      ? body
      : { ...body, session_id: session }
  )
  if (Result.isFailure(decoded)) return Result.fail(toInvalidRequest(decoded.failure))
  const request = decoded.success
  for (const name of ["frame_images", "input_references"] as const) {
    const found = findMediaProblem(request[name], settings)
    if (found !== undefined) return failInvalid([name, ...found.path], found.problem)
  }
  return Result.succeed({ request, bytes })
}

const failInvalid = (path: ReadonlyArray<string | number>, problem: string) =>
  Result.fail(new InvalidRequest({ path, problem }))
