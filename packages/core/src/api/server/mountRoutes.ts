/** The routes of an instance in the `HttpRouter` of an Effect host. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import { App } from "./App.ts"
import { Drain } from "../../instance/Drain.ts"
import { toRespondEffect } from "./EffectRequest.ts"
import { Mount, stripMountPrefix, toMountPrefix } from "./Mount.ts"
import { runOnBodyStart } from "./runOnBodyStart.ts"
import { escapePercents, hasMalformedEncoding } from "./IncomingRequest.ts"
import { Settings } from "../../instance/Settings.ts"

/** Adds the routes of the instance under `mount`, and drains the instance when their scope closes. */
export const mountRoutes = (
  mount: string
): Layer.Layer<never, never, App | Drain | HttpRouter.HttpRouter> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (host) {
      const app = yield* App
      const { scope } = app
      const drain = yield* Drain
      const settings = yield* Settings
      const prefix = toMountPrefix(mount)

      // The host's server runs requests in its own context, which lacks these services.
      const requestContext = Context.make(Mount, prefix).pipe(Context.add(Settings, settings))
      const responded = Effect.provideContext(
        restoreOriginalUrl(toRespondEffect(app.respond)),
        requestContext
      )
      const refused = Effect.provideContext(toRespondEffect(app.respondDraining), requestContext)
      const runUntilClosed = Effect.withFiber((fiber) => {
        Fiber.runIn(fiber, scope)
        return Effect.void
      })
      // In its own fiber, because a response from an interrupted host fiber would be lost.
      const underway = Effect.flatMap(
        Effect.forkChild(Effect.andThen(runUntilClosed, responded), { uninterruptible: true }),
        (fiber) =>
          Effect.onInterrupt(Fiber.join(fiber), () => {
            fiber.interruptUnsafe(undefined, HttpServerError.ClientAbort.annotation)
            return Fiber.await(fiber)
          })
      )
      const handle = Effect.suspend(() => {
        const leave = drain.enter()
        if (leave === undefined) return refused
        // The scope of a request closes when its response has been sent.
        return Effect.andThen(
          Effect.addFinalizer(() => Effect.sync(leave)),
          Effect.zipWith(underway, HttpServerRequest.HttpServerRequest, (response, request) =>
            runOnBodyStart(closeConnectionOnError(response, request), runUntilClosed)
          )
        )
      })

      yield* Effect.addFinalizer(() => drain.drain(settings.drainTimeoutMillis))
      yield* host.addGlobalMiddleware(escapeMalformedPath(prefix, app.match))
      const router = prefix === "" ? host : host.prefixed(prefix)
      for (const { method, path } of app.routes) yield* router.add(method, path, handle)
    })
  )

/** The original target of a request that `escapeMalformedPath` has changed. */
const OriginalUrl = Context.Reference<string | undefined>(
  "@signalbox/core/api/server/OriginalUrl",
  {
    defaultValue: () => undefined
  }
)

/** Escapes paths below `prefix` with invalid percent-encoding, which the host's router would not match. */
const escapeMalformedPath =
  (prefix: string, match: App["Service"]["match"]) =>
  <A, E, R>(
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, HttpServerRequest.HttpServerRequest | R> =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const path = stripMountPrefix(request.url, prefix)
      if (path === undefined || !hasMalformedEncoding(request.url.split("?")[0] ?? ""))
        return effect
      if (!match(request.method, path)) return effect
      return Effect.updateService(
        Effect.provideService(effect, OriginalUrl, path),
        HttpServerRequest.HttpServerRequest,
        (request) => request.modify({ url: escapePercents(request.url) })
      )
    })

/** Restores the target that `escapeMalformedPath` has changed. */
const restoreOriginalUrl = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, HttpServerRequest.HttpServerRequest | R> =>
  Effect.flatMap(OriginalUrl, (url) =>
    url === undefined
      ? effect
      : Effect.updateService(effect, HttpServerRequest.HttpServerRequest, (request) =>
          request.modify({ url })
        )
  )

/**
 * A rejected body of unknown length may still be arriving and be too long to wait for. The header tells the client,
 * which would otherwise lose its next request on the connection.
 */
const closeConnectionOnError = (
  response: HttpServerResponse.HttpServerResponse,
  { headers }: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse =>
  response.status >= 400 && headers["transfer-encoding"] !== undefined
    ? HttpServerResponse.setHeader(response, "connection", "close")
    : response
