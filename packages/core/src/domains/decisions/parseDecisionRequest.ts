/** Parses Decision requests, for HTTP and for calls in process. */
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Limit } from "../../engine/ledger/Limit.ts"
import { findMediaProblem, isMediaPart } from "../../engine/outbound/findMediaProblem.ts"
import { findQuestionCountProblem, Noul } from "../../questions/Question.ts"
import {
  decodeFields,
  failInvalid,
  findSizeProblem,
  listUnknownFields,
  makeTextParser,
  type AppliedPreset,
  type ParseOptions,
  type ParseResult,
  requireJsonObject
} from "../../routing/parseRequest.ts"
import type { Screenable } from "../../routing/filters/ContentFilters.ts"
import { findPreferenceProblem } from "../../routing/Preferences.ts"
import type { SettingsShape } from "../../instance/Settings.ts"
import type { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { toInvalidRequest } from "../../values/errors/toInvalidRequest.ts"
import { estimateMinBytes } from "../../values/json/JsonCost.ts"
import { JsonSize } from "../../values/json/JsonSize.ts"
import { estimateTextTokens } from "../../values/usage/TokenUsage.ts"
import { makeFastDecoder } from "../../values/validation/makeFastDecoder.ts"
import { findCountProblem } from "../../values/validation/findCountProblem.ts"
import { DecisionModels, EscalateRequest } from "./escalation/EscalateRequest.ts"
import { parseEscalation, type RequestedFallbacks } from "./escalation/parseEscalation.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { CalibrationRequest, DecisionRequest } from "./Decision.ts"

/** A valid Decision request and its size. */
export interface ParsedDecision extends Screenable {
  readonly request: DecisionRequest
  /** The models besides the requested one, and when unsure answers go to which of them; absent: none. */
  readonly fallbacks?: RequestedFallbacks
  /** Fields that a Decision does not have, which are ignored; absent: none. */
  readonly ignored?: ReadonlyArray<string>
  /** The preset whose models it has; absent: none. */
  readonly preset?: AppliedPreset
  /** Limits that its cost counts under besides those of its caller, who asks as part of another request; absent: none. */
  readonly budget?: ReadonlyArray<Limit>
  /** UTF-8 bytes of the whole request. */
  readonly bytes: number
  /** Of the content sent to the provider: an upper bound of its tokens. */
  readonly size: JsonSize
}

const decode = makeFastDecoder(DecisionRequest)

/** Parses JSON that has been read already. */
export const decodeDecisionRequest = (
  json: unknown,
  options: ParseOptions
): ParseResult<ParsedDecision> => {
  const body = requireJsonObject(json)
  if (Result.isFailure(body)) return Result.fail(body.failure)
  const { provider, questions, state } = body.success
  const { bytes, settings } = options
  const problem =
    findSizeProblem(options, hasImages(state) ? "maxImageBodyBytes" : "maxBodyBytes") ??
    findQuestionCountProblem(questions, settings) ??
    findItemCountProblem(state, settings) ??
    findPreferenceProblem(provider)
  if (problem !== undefined) return Result.fail(problem)
  const decoded = decodeFields(decode, body.success, options)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  const request = decoded.success
  // Only the top level of a state holds media; anything deeper is content for the model to read.
  if (Array.isArray(request.state)) {
    for (const [index, item] of request.state.entries()) {
      const found = isMediaPart(item) ? findMediaProblem(item, settings) : undefined
      if (found !== undefined) return failInvalid(["state", index, ...found.path], found.problem)
    }
  }
  const { escalate, models } = request
  const lost = options.preset?.lost
  const misspelt = listIgnored(body.success, request)
  const ignored = lost === undefined ? misspelt : [...(misspelt ?? []), ...lost]
  const made = toParsed(request, bytes)
  const { preset } = options
  const decision =
    ignored === undefined && preset === undefined
      ? made
      : { ...made, ...omitUndefined({ ignored, preset }) }
  if (escalate == null && models == null) return Result.succeed(decision)
  const unknown = findUnknownField(body.success)
  if (unknown !== undefined) return Result.fail(unknown)
  if (escalate?.target?.relative_accuracy !== undefined && request.calibration?.mode === "off") {
    return failInvalid(
      ["calibration", "mode"],
      "must not be off with escalate.target.relative_accuracy, which learns from labels"
    )
  }
  return Result.map(parseEscalation(request), (fallbacks) => ({
    ...decision,
    fallbacks
  }))
}

/** A misspelt field of a question counts as omitted, too; what `criteria` say of a choice or a score is the caller's own. */
const listIgnored = (
  body: Readonly<Record<string, unknown>>,
  { questions }: DecisionRequest
): ReadonlyArray<string> | undefined => {
  // The list grows in place.
  let ignored = listUnknownFields(body, DecisionRequest.fields)
  ignored = listUnknownFields(
    body["calibration"],
    CalibrationRequest.fields,
    ["calibration"],
    ignored
  )
  const asked = body["questions"]
  for (const name in questions) {
    const question = Predicate.isObject(asked) ? asked[name] : undefined
    ignored = listUnknownFields(question, Noul.fields, ["questions", name], ignored)
    if (questions[name]?.type !== "noul" || !Predicate.isObject(question)) continue
    const path = ["questions", name, "criteria"]
    ignored = listUnknownFields(question["criteria"], noulCriteria, path, ignored)
  }
  return ignored
}

const noulCriteria = { true: true, false: true }

/** The same Decision with other questions or another model. */
export const toParsed = (request: DecisionRequest, bytes: number): ParsedDecision => {
  return { request, bytes, size: measureContent(request) }
}

/** A misspelt condition must not leave unsure answers as they are. */
const findUnknownField = ({ escalate, models }: Readonly<Record<string, unknown>>) =>
  Option.getOrUndefined(
    Result.getFailure(
      Result.mapError(
        decodeExactly({ escalate: escalate ?? null, models: models ?? null }),
        toInvalidRequest
      )
    )
  )

const decodeExactly = Schema.decodeUnknownResult(
  Schema.Struct({
    escalate: Schema.NullOr(EscalateRequest),
    models: Schema.NullOr(DecisionModels)
  }),
  { onExcessProperty: "error" }
)

const isImage = (item: unknown): boolean =>
  Predicate.isObject(item) &&
  item["type"] === "image_url" &&
  Predicate.isObject(item["image_url"]) &&
  typeof item["image_url"]["url"] === "string"

/** The images of a `state`: items `{type: "image_url", image_url: {url}}` of its top-level array. */
export const hasImages = (state: unknown): boolean => Array.isArray(state) && state.some(isImage)

export const listImages = (state: unknown): ReadonlyArray<unknown> =>
  Array.isArray(state) ? state.filter(isImage) : []

/** UTF-8 bytes as they are sent. JSON is serialized again, because `1e20` becomes longer that way. */
const measureContent = ({ questions, state }: DecisionRequest): JsonSize =>
  new JsonSize({ state, questions })

/** A typical image. Providers differ, but the estimate only decides which endpoints have room for the request. */
const tokensPerImage = 1_000

/** Estimated from the bytes of the whole request without its images, plus a constant for each of those. */
export const estimatePromptTokens = (request: DecisionRequest, requestBytes: number): number => {
  const images = listImages(request.state)
  const imageBytes = images.reduce((sum: number, image) => sum + estimateMinBytes(image), 0)
  const text = Math.max(0, requestBytes - imageBytes)
  return estimateTextTokens(text) + images.length * tokensPerImage
}

export const parseDecisionRequest = makeTextParser(decodeDecisionRequest)

const findItemCountProblem = (
  state: unknown,
  settings: SettingsShape
): InvalidRequest | undefined =>
  Array.isArray(state)
    ? findCountProblem(state.length, "maxStateItems", settings, ["state"])
    : undefined
