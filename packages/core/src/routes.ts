/** Mounts a box in an Effect host: its operations as routes of the host's own `HttpRouter`. */
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
import { Mount, toMountPrefix } from "./http/server/Mount.ts"
import { runOnBodyStart } from "./http/server/runOnBodyStart.ts"
import { escapePercents, hasMalformedEncoding } from "./http/server/percentEncoding.ts"
import { isServedPath, routedPaths } from "./http/server/routeTable.ts"
import { shuttingDownResponse } from "./http/server/shuttingDownResponse.ts"
import { stripMountPrefix } from "./http/server/stripMountPrefix.ts"
import { RequestLogEnabled } from "./observability/logging/RequestFacts.ts"
import { Settings } from "./Settings.ts"

const drainOnClose = Effect.flatMap(Drain, ({ drain }) =>
  Effect.flatMap(Settings, ({ drainTimeoutMillis }) =>
    Effect.addFinalizer(() => drain(drainTimeoutMillis))
  )
)

/**
 * Closes before the server it is built upon: new requests get 503, the running ones are waited for until the drain
 * deadline, and those that are left are interrupted.
 */
export const layerDrain: Layer.Layer<never, never, Drain> = Layer.effectDiscard(drainOnClose)

/**
 * Our routes under `mount` (default: the root), beside those of the host. When their scope closes,
 * new requests get 503 and the running ones are waited for until the drain deadline. Provide the
 * box outside of `server`, as here: built inside, it would take the host's router for its own. A server waits for its
 * requests before it closes what it serves, so that `drain` stands above it.
 *
 * ```ts
 * drained.pipe(
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
      const { respond, scope } = yield* App
      const drain = yield* Drain
      const settings = yield* Settings
      const prefix = toMountPrefix(mount)

      // The host's server runs requests in its own context, which knows none of them.
      const ours = Context.make(Mount, prefix).pipe(
        Context.add(Settings, settings),
        Context.add(RequestLogEnabled, yield* RequestLogEnabled)
      )
      const placed = Effect.provideContext(restoreOriginalUrl(respond), ours)
      const untilClosed = Effect.withFiber((fiber) => {
        Fiber.runIn(fiber, scope)
        return Effect.void
      })
      // In a fiber of its own: where that of the host is interrupted, nobody hears what we say to it.
      const underway = Effect.flatMap(
        Effect.forkChild(Effect.andThen(untilClosed, placed), { uninterruptible: true }),
        (fiber) =>
          Effect.onInterrupt(Fiber.join(fiber), () => {
            fiber.interruptUnsafe(undefined, HttpServerError.ClientAbort.annotation)
            return Fiber.await(fiber)
          })
      )
      const served = Effect.suspend(() => {
        const leave = drain.enter()
        if (leave === undefined) return Effect.provideContext(shuttingDownResponse, ours)
        // The scope of a request closes when its response is out.
        return Effect.andThen(
          Effect.addFinalizer(() => Effect.sync(leave)),
          Effect.zipWith(underway, HttpServerRequest.HttpServerRequest, (response, request) =>
            runOnBodyStart(closeConnectionOnError(response, request), untilClosed)
          )
        )
      })

      yield* drainOnClose
      yield* host.addGlobalMiddleware(escapeMalformedPath(prefix))
      const router = prefix === "" ? host : host.prefixed(prefix)
      for (const { method, path } of routedPaths) yield* router.add(method, path, served)
    })
  )

/** The target of a request as the client sent it, where it was changed for the host's router. */
const OriginalUrl = Context.Reference<string | undefined>("@signalbox/core/routes/SentUrl", {
  defaultValue: () => undefined
})

/** Lets our routes answer paths below `prefix` that are not valid percent-encoding: the host's router knows none. */
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

/** Gives the service the target that `escapeMalformedPath` has changed. */
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
 * A body of unknown length that was refused may still be arriving, and be too long to wait for; a client that is not
 * told loses its next request on the connection.
 */
const closeConnectionOnError = (
  response: HttpServerResponse.HttpServerResponse,
  { headers }: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse =>
  response.status >= 400 && headers["transfer-encoding"] !== undefined
    ? HttpServerResponse.setHeader(response, "connection", "close")
    : response
