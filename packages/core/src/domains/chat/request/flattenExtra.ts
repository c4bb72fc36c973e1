/** Converts a chat request in process to the form of the HTTP API, which has the fields of `extra` beside the others. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import { isRouterField } from "./parseChatRequest.ts"

/** Fails on a field of the router and on a duplicate name, because one of the two values would be lost. */
export const flattenExtra = (request: unknown): Effect.Effect<unknown, InvalidRequest> => {
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
