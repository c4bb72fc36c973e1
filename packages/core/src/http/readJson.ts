/** Reads the JSON body of a request by a schema, or names the first place that is not of it. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Settings } from "../Settings.ts"
import { toInvalidRequest } from "../values/errors/toInvalidRequest.ts"
import { capBodyLimit, jsonLimit } from "./BodyLimit.ts"
import { isJson } from "./isJson.ts"
import { type BodyError, readBody, type ReadBodyOptions } from "./readBody.ts"

type JsonReader<A> = (
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<A, BodyError, Scope.Scope>

/**
 * Keys the schema does not know are ignored: clients of this wire send more than is written down.
 * Refuses what is larger than `mostBytes`, where that is less than what the settings allow.
 */
export const readJson = <A, I>(
  schema: Schema.Codec<A, I>,
  options: ReadBodyOptions & { readonly mostBytes?: number } = {}
): JsonReader<A> => {
  const decode = Schema.decodeUnknownEffect(schema)
  return Effect.fnUntraced(function* (request) {
    const { json } = yield* readJsonBody(request, options)
    return yield* Effect.mapError(decode(json), toInvalidRequest)
  })
}

/** The same without a schema. */
export const readJsonBody = (
  request: HttpServerRequest.HttpServerRequest,
  { mostBytes = Infinity, ...options }: ReadBodyOptions & { readonly mostBytes?: number }
) =>
  Effect.flatMap(Settings, (settings) =>
    readBody(request, capBodyLimit(jsonLimit(settings), mostBytes), {
      hasJsonContentType: isJson,
      ...options
    })
  )
