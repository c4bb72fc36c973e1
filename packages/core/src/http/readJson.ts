/** Reads the JSON body of a request by a schema, or names the first place that is not of it. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Settings } from "../Settings.ts"
import { parseJson } from "../values/parseJson.ts"
import type { InvalidRequest, RequestTooLarge } from "../values/RequestErrors.ts"
import { schemaProblem } from "../values/schemaProblem.ts"
import { NotJson } from "./HttpErrors.ts"
import { isJson } from "./isJson.ts"
import { readBodyApart } from "./readBody.ts"

/**
 * Keys the schema does not know are ignored: clients of this wire send more than is written down.
 * `whenEmpty` is what a body of nothing means; by default it is refused. So is one above `mostBytes`, where
 * that is less than what the settings allow.
 */
export const readJson = <A, I>(
  schema: Schema.Codec<A, I>,
  whenEmpty = "",
  mostBytes = Infinity
): ((
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<A, InvalidRequest | NotJson | RequestTooLarge, Scope.Scope>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return Effect.fnUntraced(function* (request) {
    const { bodyLimitBytes, maxJsonDepth } = yield* Settings
    const { text } = yield* readBodyApart(request, Math.min(bodyLimitBytes, mostBytes))
    if (text !== "" && !isJson(request.headers["content-type"])) return yield* new NotJson()
    const json = yield* Effect.fromResult(parseJson(text === "" ? whenEmpty : text, maxJsonDepth))
    return yield* Effect.mapError(decode(json), schemaProblem)
  })
}
