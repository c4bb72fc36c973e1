/** Takes the mount off the path of a request before the service sees it. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import { respondNotFound } from "./respondNotFound.ts"
import { Mount } from "./Mount.ts"

/** `path` below `mount`; undefined when it lies elsewhere. A query is kept, nothing is decoded. */
export const stripMountPrefix = (path: string, mount: string): string | undefined => {
  if (mount === "") return path
  if (!path.startsWith(mount)) return undefined
  const rest = path.slice(mount.length)
  if (rest === "") return "/"
  if (rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}

/**
 * For hosts whose requests carry the whole path: provide `Mount`, and what lies elsewhere is
 * answered with 404.
 */
export const withMountStripped = (respond: Respond): Respond =>
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

type Respond = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>
