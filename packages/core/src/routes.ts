/** Mounts an instance in an Effect host, as routes of its `HttpRouter`. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { App } from "./http/server/App.ts"
import { Drain } from "./Drain.ts"
import { toRespondEffect } from "./http/server/EffectRequest.ts"
import { Mount, toMountPrefix } from "./http/server/Mount.ts"
import { runOnBodyStart } from "./http/server/runOnBodyStart.ts"
import { escapePercents, hasMalformedEncoding } from "./http/server/percentEncoding.ts"
import { isServedPath, routedPaths } from "./http/server/routeTable.ts"
import { stripMountPrefix } from "./http/server/stripMountPrefix.ts"
import { Settings } from "./Settings.ts"

const drainOnClose = Effect.flatMap(Drain, ({ drain }) =>
  Effect.flatMap(Settings, ({ drainTimeoutMillis }) =>
    Effect.addFinalizer(() => drain(drainTimeoutMillis))
  )
)

/**
 * Drains the instance before the server below it closes. New requests get 503, running ones have until the drain
 * timeout, and the rest are interrupted.
 */
export const layerDrain: Layer.Layer<never, never, Drain> = Layer.effectDiscard(drainOnClose)

/**
 * Adds the routes of the instance under `mount` (default: the root) to those of the host. When their scope closes, new
 * requests get 503 and running ones have until the drain timeout.
 *
 * Provide the instance outside `HttpRouter.serve`, and `layerDrain` above it, as below. A server waits for its
 * requests before it closes what it serves, so a drain inside would start too late.
 *
 * ```ts
 * layerDrain.pipe(
 *   Layer.provide(HttpRouter.serve(Layer.merge(routes({ mount: "/ai" }), hostRoutes))),
 *   Layer.provide(layer(options)),
 *   Layer.provide(platform(options.settings))
 * )
 * ```
 */
export const routes = ({ mount = "" }: { readonly mount?: string } = {}): Layer.Layer<
  never,
  never,
  App | Drain | HttpRouter.HttpRouter
> =>
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

      yield* drainOnClose
      yield* host.addGlobalMiddleware(escapeMalformedPath(prefix))
      const router = prefix === "" ? host : host.prefixed(prefix)
      for (const { method, path } of routedPaths) yield* router.add(method, path, handle)
    })
  )

/** The original target of a request that `escapeMalformedPath` has changed. */
const OriginalUrl = Context.Reference<string | undefined>("@signalbox/core/SentUrl", {
  defaultValue: () => undefined
})

/** Escapes paths below `prefix` with invalid percent-encoding, which the host's router would not match. */
const escapeMalformedPath =
  (prefix: string) =>
  <A, E, R>(
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, HttpServerRequest.HttpServerRequest | R> =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const path = stripMountPrefix(request.url, prefix)
      if (path === undefined || !hasMalformedEncoding(request.url.split("?")[0] ?? ""))
        return effect
      if (!isServedPath(request.method, path)) return effect
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
