/** The steps that parsing the requests of all operations have in common. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type { SettingsShape } from "../instance/Settings.ts"
import * as Step from "../values/Step.ts"
import {
  type BodyLimitSetting,
  InvalidRequest,
  RequestTooLarge
} from "../values/errors/RequestErrors.ts"
import { toInvalidRequest } from "../values/errors/toInvalidRequest.ts"
import { isObject } from "../values/json/guards.ts"
import { copyRequest, parseJson } from "../values/json/parseJson.ts"
import { setOwn } from "../values/ownFields.ts"

/** What a parser needs to know besides the request itself. */
export interface ParseOptions {
  /** UTF-8 bytes of the request as JSON. */
  readonly bytes: number
  /** The `x-session-id` header; `session_id` in the body takes precedence. */
  readonly session?: string | undefined
  /** The preset whose settings the request has; absent: none. */
  readonly preset?: AppliedPreset | undefined
  readonly settings: SettingsShape
}

/** A preset whose settings have been merged into a request. */
export interface AppliedPreset {
  readonly id: string
  /** Whether answers come from the cache; absent: as the request says. */
  readonly cacheEnabled?: boolean
  /** How long they are kept there, in seconds, unless the request says it. */
  readonly cacheTtlSeconds?: number
  /** Its settings that the API of the request cannot say, such as `preset.seed`; absent: none. */
  readonly lost?: ReadonlyArray<string>
}

export type ParseResult<A> = Result.Result<A, InvalidRequest | RequestTooLarge>

/** Makes a parser of JSON text out of a decoder of parsed JSON. */
export const makeTextParser =
  <A, Options extends ParseOptions = ParseOptions>(
    decode: (json: unknown, options: Options) => ParseResult<A>
  ) =>
  (text: string, options: Options): ParseResult<A> => {
    const json = parseJson(text, options.settings.maxJsonDepth)
    return Result.isFailure(json) ? Result.fail(json.failure) : decode(json.success, options)
  }

/** Parses a call in process. Its JSON is a copy, so that it meets every check of the HTTP API, and may change meanwhile. */
export const parseInProcess = <A>(
  request: unknown,
  settings: SettingsShape,
  decode: (json: unknown, options: ParseOptions) => ParseResult<A>
): Effect.Effect<A, InvalidRequest | RequestTooLarge> =>
  Step.flatMap(copyRequest(request, settings.maxJsonDepth), ({ bytes, json }) =>
    Effect.fromResult(decode(json, { bytes, settings }))
  )

type JsonObject = Readonly<Record<string, unknown>>

export const requireJsonObject = (json: unknown): Result.Result<JsonObject, InvalidRequest> =>
  Predicate.isObject(json)
    ? Result.succeed(json)
    : failInvalid([], "the body must be a JSON object")

export const findSizeProblem = (
  { bytes, settings }: ParseOptions,
  setting: BodyLimitSetting
): RequestTooLarge | undefined =>
  bytes > settings[setting]
    ? new RequestTooLarge({ limitBytes: settings[setting], setting })
    : undefined

/** Decodes the fields of a body by its schema, with the session of the header unless the body has one. */
export const decodeFields = <A>(
  decode: (fields: JsonObject) => Result.Result<A, Schema.SchemaError>,
  fields: JsonObject,
  { session }: ParseOptions
): Result.Result<A, InvalidRequest> =>
  Result.mapError(
    decode(
      session === undefined || fields["session_id"] !== undefined
        ? fields
        : { ...fields, session_id: session }
    ),
    toInvalidRequest
  )

/** Without the fields that are null, where null means absent. */
export const omitNull = (fields: JsonObject): JsonObject =>
  hasNull(fields)
    ? Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
    : fields

const hasNull = (fields: JsonObject): boolean => {
  for (const name in fields) if (fields[name] === null) return true
  return false
}

/** The fields with the selected names, as the caller wrote them. */
export const selectFields = (
  fields: JsonObject,
  isSelected: (name: string) => boolean
): JsonObject => {
  const selected: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    if (isSelected(name)) setOwn(selected, name, fields[name])
  }
  return selected
}

export const failInvalid = (path: ReadonlyArray<string | number>, problem: string) =>
  Result.fail(new InvalidRequest({ path, problem }))

/**
 * Adds the paths of unknown fields of `value` to `found`. Undefined without any, as for most bodies. `path` is where
 * the value is in the body; other values than objects have no fields.
 */
export const listUnknownFields = (
  value: unknown,
  known: Readonly<Record<string, unknown>>,
  path: ReadonlyArray<string> = root,
  found?: Array<string>
): Array<string> | undefined => {
  if (!isObject(value)) return found
  let unknown = found
  for (const name in value) {
    if (Object.hasOwn(known, name)) continue
    const place = path.length === 0 ? name : [...path, name].join(".")
    ;(unknown ??= []).push(place)
  }
  return unknown
}

const root: ReadonlyArray<string> = []

/**
 * Converts a request in process to the form of the HTTP API, which has the fields of `extra` beside the others. Fails on a field
 * of the router and on a duplicate name, because one of the two values would be lost.
 */
export const makeFlattenExtra =
  (isRouterField: (name: string) => boolean) =>
  (request: unknown): Effect.Effect<unknown, InvalidRequest> => {
    if (!Predicate.isObject(request) || !("extra" in request)) return Effect.succeed(request)
    const { extra, ...rest } = request
    if (extra === undefined) return Effect.succeed(rest)
    if (!Predicate.isObject(extra)) {
      return Effect.fail(new InvalidRequest({ path: ["extra"], problem: "must be an object" }))
    }
    const conflict = Object.keys(extra).find(
      (name) => isRouterField(name) || Object.hasOwn(rest, name)
    )
    return conflict === undefined
      ? // Spreads and literals would set the prototype for the key `__proto__`.
        Effect.succeed(Object.fromEntries([...Object.entries(rest), ...Object.entries(extra)]))
      : Effect.fail(
          new InvalidRequest({ path: ["extra", conflict], problem: "belongs beside `extra`, once" })
        )
  }
