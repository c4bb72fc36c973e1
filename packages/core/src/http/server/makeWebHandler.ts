/** Serves web-standard requests, for hosts that have no Node objects. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpEffect from "effect/http/HttpEffect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as Scope from "effect/Scope"
import { App } from "./App.ts"
import { Drain } from "../../Drain.ts"
import { Mount, toMountPrefix } from "./Mount.ts"
import { runOnBodyStart } from "./runOnBodyStart.ts"
import { shuttingDownResponse } from "./shuttingDownResponse.ts"
import { withMountStripped } from "./stripMountPrefix.ts"

/** Answers one request; `mount` is the prefix of its path that is the host's, default: none. Never rejects. */
export type WebHandler = (
  request: Request,
  options?: { readonly mount?: string }
) => Promise<Response>

/** Answers web-standard requests. */
export const makeWebHandler = (context: Context.Context<App | Drain>): WebHandler => {
  const { respond, scope } = Context.get(context, App)
  const drain = Context.get(context, Drain)

  // What still runs when the box closes is interrupted, as behind the Node adapters.
  const underway = Effect.withFiber((fiber) => {
    Fiber.runIn(fiber, scope)
    return withMountStripped(respond)
  })
  const respondUntilDraining = Effect.suspend(() => {
    const leave = drain.enter()
    if (leave === undefined) return withMountStripped(shuttingDownResponse)
    let isRead = false
    /** A body is read in a fiber of its own, which is done after the scope of its request is closed. */
    const reading = Effect.withFiber((fiber) => {
      isRead = true
      fiber.addObserver(leave)
      Fiber.runIn(fiber, scope)
      return Effect.void
    })
    const finalizer = Effect.sync(() => {
      if (!isRead) leave()
    })
    return Effect.andThen(
      Effect.addFinalizer(() => finalizer),
      Effect.map(underway, (response) => runOnBodyStart(response, reading))
    )
  })
  const handle = HttpEffect.toWebHandlerWith<
    App | Drain,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >(context)(respondUntilDraining)

  return (request, { mount = "" } = {}) =>
    handle(request, Context.make(Mount, toMountPrefix(mount)))
}
