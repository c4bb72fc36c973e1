/** Mounts an instance in an Effect host, as routes of its `HttpRouter`. */
import * as Effect from "effect/Effect"
import type * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import { Drain } from "./instance/Drain.ts"
import type { App } from "./api/server/App.ts"
import { Settings } from "./instance/Settings.ts"
import { loadLayer } from "./values/layerOnDemand.ts"

/**
 * Drains the instance before the server below it closes. New requests get 503, running ones have until the drain
 * timeout, and the rest are interrupted.
 */
export const layerDrain: Layer.Layer<never, never, Drain> = Layer.effectDiscard(
  Effect.flatMap(Drain, ({ drain }) =>
    Effect.flatMap(Settings, ({ drainTimeoutMillis }) =>
      Effect.addFinalizer(() => drain(drainTimeoutMillis))
    )
  )
)

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
  loadLayer(() =>
    import("./api/server/mountRoutes.ts").then(({ mountRoutes }) => mountRoutes(mount))
  )
