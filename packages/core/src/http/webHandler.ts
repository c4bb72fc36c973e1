/** Serves web-standard requests, for hosts that have no Node objects. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpEffect from "effect/http/HttpEffect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as Scope from "effect/Scope"
import { App } from "./App.ts"
import { Drain } from "./Drain.ts"
import { Mount, mountAt } from "./Mount.ts"
import { turnedAway } from "./turnedAway.ts"
import { underMount } from "./underMount.ts"

/** Answers one request; `mount` is the prefix of its path that is the host's, default: none. Never rejects. */
export type WebHandler = (
  request: Request,
  options?: { readonly mount?: string }
) => Promise<Response>

export const webHandler = (context: Context.Context<App | Drain>): WebHandler => {
  const { respond, scope } = Context.get(context, App)
  const drain = Context.get(context, Drain)

  const underway = Effect.withFiber((fiber) => {
    // What still runs when the box closes is interrupted, as behind the Node adapters.
    Fiber.runIn(fiber, scope)
    return underMount(respond)
  })
  const respondUntilDraining = Effect.suspend(() => {
    const leave = drain.enter()
    if (leave === undefined) return underMount(turnedAway)
    // The scope of a request closes after the last byte of its body.
    return Effect.andThen(
      Effect.addFinalizer(() => Effect.sync(leave)),
      underway
    )
  })
  const handle = HttpEffect.toWebHandlerWith<
    App | Drain,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >(context)(respondUntilDraining)

  return (request, { mount = "" } = {}) => handle(request, Context.make(Mount, mountAt(mount)))
}
