/** A chat request in process as the HTTP API has it: the fields of `extra` beside the others. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { InvalidRequest } from "../values/errors/RequestErrors.ts"
import { isRouterField } from "./parseChatRequest.ts"

/** Fails on a name of the router and on a name that is given twice, because one of the two values would be lost. */
export const flattenExtra = (request: unknown): Effect.Effect<unknown, InvalidRequest> => {
  if (!Predicate.isObject(request) || !("extra" in request)) return Effect.succeed(request)
  const { extra, ...rest } = request
  if (extra === undefined) return Effect.succeed(rest)
  if (!Predicate.isObject(extra) || Array.isArray(extra)) {
    return Effect.fail(new InvalidRequest({ path: ["extra"], problem: "must be an object" }))
  }
  const conflict = Object.keys(extra).find(
    (name) => isRouterField(name) || Object.hasOwn(rest, name)
  )
  return conflict === undefined
    ? // Spread and literals would take `__proto__` for the prototype.
      Effect.succeed(Object.fromEntries([...Object.entries(rest), ...Object.entries(extra)]))
    : Effect.fail(
        new InvalidRequest({ path: ["extra", conflict], problem: "belongs beside `extra`, once" })
      )
}
