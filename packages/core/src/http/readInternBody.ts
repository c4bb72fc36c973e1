/** Reads the body of a request about interns: JSON that is said to be JSON, or nothing. Source: wire facts 1, Interns. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Settings } from "../Settings.ts"
import { parseJson } from "../values/parseJson.ts"
import { InvalidRequest, type RequestTooLarge } from "../values/RequestErrors.ts"
import { schemaProblem } from "../values/schemaProblem.ts"
import { NotJson } from "./HttpErrors.ts"
import { readBodyApart } from "./readBody.ts"

type Read<A> = (
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<A, InvalidRequest | NotJson | RequestTooLarge, Scope.Scope>

/** Keys the schema does not know are ignored. `whenEmpty` is what a body of nothing means; by default it is refused. */
export const readInternBody = <A, I>(schema: Schema.Codec<A, I>, whenEmpty = ""): Read<A> => {
  const decode = Schema.decodeUnknownEffect(schema)
  return Effect.fnUntraced(function* (request) {
    const json = yield* readJsonOf(request, whenEmpty)
    return yield* Effect.mapError(decode(json), schemaProblem)
  })
}

/** Of operations that take no body: nothing, or an object of nothing. */
export const readNoBody: Read<void> = Effect.fnUntraced(function* (request) {
  const json = yield* readJsonOf(request, "{}")
  if (!isObject(json)) {
    return yield* new InvalidRequest({ path: [], problem: "this operation takes no body" })
  }
  const [first] = Object.keys(json)
  if (first !== undefined) {
    return yield* new InvalidRequest({ path: [first], problem: "this operation takes no body" })
  }
})

const readJsonOf = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  whenEmpty: string
) {
  const { bodyLimitBytes, maxJsonDepth } = yield* Settings
  const { text } = yield* readBodyApart(request, Math.min(bodyLimitBytes, largestBody))
  if (text !== "" && !saysJson.test(request.headers["content-type"] ?? "")) {
    return yield* new NotJson()
  }
  return yield* Effect.fromResult(parseJson(text === "" ? whenEmpty : text, maxJsonDepth))
})

/** Whatever the settings allow elsewhere. Source: interface specification, Limits. */
const largestBody = 1_048_576

const saysJson = /^\s*application\/json\s*(?:;|$)/i

const isObject = (json: unknown): json is object =>
  typeof json === "object" && json !== null && !Array.isArray(json)
