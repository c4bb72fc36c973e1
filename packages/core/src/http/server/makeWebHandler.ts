/** Serves web-standard requests, for hosts without Node's request objects. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpEffect from "effect/http/HttpEffect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as Scope from "effect/Scope"
import { App } from "./App.ts"
import { Drain } from "../../Drain.ts"
import { toRespondEffect } from "./EffectRequest.ts"
import { Mount, toMountPrefix } from "./Mount.ts"
import { runOnBodyStart } from "./runOnBodyStart.ts"
import { withMountStripped } from "./stripMountPrefix.ts"

/** Responds to one request. `mount` is the path prefix that the host adds; default: none. Never rejects. */
export type WebHandler = (
  request: Request,
  options?: { readonly mount?: string }
) => Promise<Response>

/** Makes the handler of an instance from its services. */
export const makeWebHandler = (context: Context.Context<App | Drain>): WebHandler => {
  const app = Context.get(context, App)
  const { scope } = app
  const respondNotFound = toRespondEffect(app.respondNotFound)
  const respond = withMountStripped(toRespondEffect(app.respond), respondNotFound)
  const respondDraining = withMountStripped(toRespondEffect(app.respondDraining), respondNotFound)
  const drain = Context.get(context, Drain)

  // Requests that still run when the instance closes are interrupted, as with the Node adapters.
  const underway = Effect.withFiber((fiber) => {
    Fiber.runIn(fiber, scope)
    return respond
  })
  const respondUntilDraining = Effect.suspend(() => {
    const leave = drain.enter()
    if (leave === undefined) return respondDraining
    let isRead = false
    /** A body is read in its own fiber, which ends after the scope of its request has closed. */
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
