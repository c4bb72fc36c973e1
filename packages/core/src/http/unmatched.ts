/** Answers a request that asks for no operation there is. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { notFound } from "./errors/refusalOf.ts"
import { malformedPath, notServed } from "./errors/unmatchedRefusal.ts"
import { refuse } from "./errors/refuse.ts"
import { isMalformed } from "./percentEncoding.ts"
import { isOurs } from "./routes.ts"

export const unmatched: Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest
> = Effect.map(HttpServerRequest.HttpServerRequest, ({ method, url }) => {
  const [path = ""] = url.split("?")
  if (!isOurs(method, url)) return refuse(notFound)
  return refuse(isMalformed(path) ? malformedPath : notServed(method, path))
})
