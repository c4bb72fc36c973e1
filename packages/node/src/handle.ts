/** Runs an Effect application for Node requests, each in a fiber that ends if its client disconnects. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpEffect from "effect/http/HttpEffect"
import { ClientAbort } from "effect/http/HttpServerError"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import { NodeRequest } from "./NodeRequest.ts"
import { onResponseClosed } from "./onResponseClosed.ts"
import { releaseConnection, writeResponse } from "./writeResponse.ts"

/** `context` has the services of this request, except the request itself. */
export type Handle = (request: NodeRequest, context: Context.Context<never>) => void

/** If a client disconnects, its fiber is interrupted. Closing `scope` interrupts all fibers. */
export const makeHandle = (
  respond: Effect.Effect<HttpServerResponse, never, HttpServerRequest | Scope.Scope>,
  scope: Scope.Scope
): Handle => {
  const handled = HttpEffect.toHandled(respond, (request, response) =>
    request instanceof NodeRequest
      ? writeResponse(request.response, response)
      : Effect.die("a request that is not Node's")
  )
  return (request, context) => {
    const { response, source } = request
    response.prependListener("finish", () => releaseConnection(source, response))
    const fiber = Fiber.runIn(
      Effect.runForkWith(Context.add(context, HttpServerRequest, request))(handled),
      scope
    )
    if (fiber.pollUnsafe() !== undefined) return
    // After the response is written this has no effect: the rest of the fiber is uninterruptible.
    onResponseClosed(source, response, () =>
      fiber.interruptUnsafe(undefined, ClientAbort.annotation)
    )
  }
}
