/** Serves requests of Effect hosts below a mount. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { RespondEffect } from "./EffectRequest.ts"
import { Mount, stripMountPrefix } from "./Mount.ts"

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
