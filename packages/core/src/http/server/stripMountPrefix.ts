/** Strips the mount from the path of a request. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { RespondEffect } from "./EffectRequest.ts"
import { Mount } from "./Mount.ts"

/** `path` relative to `mount`; undefined if it is outside. Keeps the query and decodes nothing. */
export const stripMountPrefix = (path: string, mount: string): string | undefined => {
  if (mount === "") return path
  if (!path.startsWith(mount)) return undefined
  const rest = path.slice(mount.length)
  if (rest === "") return "/"
  if (rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}

/**
 * For hosts whose requests carry the whole path. Requires `Mount`; requests outside it get the response of
 * `respondNotFound`.
 */
export const withMountStripped = (
  respond: RespondEffect,
  respondNotFound: RespondEffect
): RespondEffect =>
  Effect.flatMap(Mount, (mount) =>
    mount === ""
      ? respond
      : Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
          const url = stripMountPrefix(request.url, mount)
          return url === undefined
            ? respondNotFound
            : Effect.provideService(
                respond,
                HttpServerRequest.HttpServerRequest,
                request.modify({ url })
              )
        })
  )
