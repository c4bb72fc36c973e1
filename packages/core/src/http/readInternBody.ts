/** Reads the body of a request about interns: JSON that is said to be JSON, or nothing. Source: wire facts 1, Interns. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as Schema from "effect/Schema"
import { InvalidRequest } from "../values/errors/RequestErrors.ts"
import { readJson, readJsonBody } from "./readJson.ts"

const hasJsonContentType = (headers: HttpServerRequest.HttpServerRequest["headers"]): boolean =>
  /^\s*application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "")

/** Whatever the settings allow elsewhere. Source: interface specification, Limits. */
const maxBytes = 1_048_576

/** Keys the schema does not know are ignored. `whenEmpty` is what a body of nothing means; by default it is refused. */
export const readInternBody = <A, I>(schema: Schema.Codec<A, I>, whenEmpty = "") =>
  readJson(schema, { whenEmpty, hasJsonContentType, mostBytes: maxBytes })

/** Of operations that take no body: nothing, or an object of nothing. */
export const requireEmptyBody = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest
) {
  const { json } = yield* readJsonBody(request, {
    whenEmpty: "{}",
    hasJsonContentType,
    mostBytes: maxBytes
  })
  if (!isObject(json)) {
    return yield* new InvalidRequest({ path: [], problem: "this operation takes no body" })
  }
  const [first] = Object.keys(json)
  if (first !== undefined) {
    return yield* new InvalidRequest({ path: [first], problem: "this operation takes no body" })
  }
})

const isObject = (json: unknown): json is object =>
  typeof json === "object" && json !== null && !Array.isArray(json)
