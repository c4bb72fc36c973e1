/** Reads a Decision request from JSON: the one way in, for HTTP and for calls in process. */
import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"
import * as Predicate from "effect/Predicate"
import { findMediaProblem } from "../outbound/findMediaProblem.ts"
import { isMediaPart } from "../outbound/isMediaPart.ts"
import { findQuestionCountProblem } from "../questions/findQuestionCountProblem.ts"
import { findUnknownKey } from "../routing/Preferences.ts"
import type { SettingsShape } from "../Settings.ts"
import { parseJson } from "../values/json/parseJson.ts"
import { InvalidRequest, RequestTooLarge } from "../values/errors/RequestErrors.ts"
import { toInvalidRequest } from "../values/errors/toInvalidRequest.ts"
import { findCountProblem } from "../values/validation/findCountProblem.ts"
import { DecisionRequest } from "./DecisionRequest.ts"
import { measureContent } from "./contentSize.ts"
import { hasImages } from "./images.ts"

/** A Decision request, checked and measured. */
export interface ParsedDecision {
  readonly request: DecisionRequest
  /** UTF-8 bytes of the whole request. */
  readonly bytes: number
  /** UTF-8 bytes of its content as sent on: an upper bound of its tokens. */
  readonly contentBytes: () => number
  /** Works them out beforehand, so that they are there when they are asked for. */
  readonly measure: Effect.Effect<void>
}

// Only this schema: the host's own schemas are compiled as the host likes.
SchemaJITCompiler.enable(DecisionRequest.ast)
const decode = Schema.decodeUnknownResult(DecisionRequest)

export interface ParseOptions {
  /** UTF-8 bytes of its text. */
  readonly bytes: number
  /** The `x-session-id` header; a session in the body wins over it. */
  readonly session?: string | undefined
  readonly settings: SettingsShape
}

export const parseDecisionRequest = (
  text: string,
  options: ParseOptions
): Result.Result<ParsedDecision, InvalidRequest | RequestTooLarge> =>
  Result.flatMap(parseJson(text, options.settings.maxJsonDepth), (json) =>
    decodeDecisionRequest(json, options)
  )

/** The same of what was parsed already. */
export const decodeDecisionRequest = (
  json: unknown,
  { bytes, session, settings }: ParseOptions
): Result.Result<ParsedDecision, InvalidRequest | RequestTooLarge> => {
  if (!Predicate.isObject(json) || Array.isArray(json)) {
    return failInvalid([], "the body must be a JSON object")
  }
  if (bytes > settings.maxBodyBytes) {
    const setting = hasImages(json["state"]) ? "maxImageBodyBytes" : "maxBodyBytes"
    const limitBytes = settings[setting]
    if (bytes > limitBytes) return Result.fail(new RequestTooLarge({ limitBytes, setting }))
  }
  const surplus =
    findQuestionCountProblem(json["questions"], settings) ??
    findItemCountProblem(json["state"], settings)
  if (surplus !== undefined) return Result.fail(surplus)
  const provider = json["provider"]
  if (Predicate.isObject(provider)) {
    const key = findUnknownKey(provider)
    if (key !== undefined) return failInvalid(["provider", ...key], "unknown routing preference")
  }
  const decoded = decode(
    session === undefined || json["session_id"] !== undefined
      ? json
      : { ...json, session_id: session }
  )
  if (Result.isFailure(decoded)) return Result.fail(toInvalidRequest(decoded.failure))
  const request = decoded.success
  // Media stand at the top of a state; what lies deeper is content that a model reads.
  if (Array.isArray(request.state)) {
    for (const [index, item] of request.state.entries()) {
      const found = isMediaPart(item) ? findMediaProblem(item, settings) : undefined
      if (found !== undefined) return failInvalid(["state", index, ...found.path], found.problem)
    }
  }
  const { get, measure } = measureContent(request)
  return Result.succeed({ request, bytes, contentBytes: get, measure })
}

const findItemCountProblem = (
  state: unknown,
  settings: SettingsShape
): InvalidRequest | undefined =>
  Array.isArray(state)
    ? findCountProblem(state.length, "maxStateItems", settings, ["state"])
    : undefined

const failInvalid = (path: ReadonlyArray<string | number>, problem: string) =>
  Result.fail(new InvalidRequest({ path, problem }))
