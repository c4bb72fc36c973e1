/** Serves web-standard requests, for hosts without Node's request objects. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { App } from "./App.ts"
import type { Drain } from "../../instance/Drain.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import { toMountPrefix } from "./Mount.ts"

/**
 * Responds to one request. `mount` is the path prefix that the host adds; default: none. Never rejects. An instance whose
 * functions need the request of another host as their `source` cannot be called with a web-standard one.
 */
export type WebHandler<Source = unknown> = (
  request: Request & Source,
  options?: { readonly mount?: string }
) => Promise<Response>

/** `hostRequest` is the host's own request; default: the web-standard one. */
export type MountedWebHandler = (
  request: Request,
  options?: { readonly mount?: string; readonly hostRequest?: object }
) => Promise<Response>

/** Makes the handler of an instance from its services. Its code is loaded with the first request. */
export const makeWebHandler = (context: Context.Context<App | Drain>): MountedWebHandler => {
  const load = loadOnce(() =>
    import("./makeWebResponder.ts").then(({ makeWebResponder }) => makeWebResponder(context))
  )
  return (request, { hostRequest, mount = "" } = {}) => {
    const prefix = toMountPrefix(mount)
    return load().pipe(
      Effect.flatMap((respond) => Effect.promise(() => respond(request, prefix, hostRequest))),
      Effect.catchCause((cause) =>
        Effect.as(
          Effect.logError("the handler of web requests cannot be loaded", cause),
          new Response(null, { status: 500 })
        )
      ),
      Effect.runPromiseWith(context)
    )
  }
}

/**
 * What adapters mount in a host: an instance, or the console of one. It is mounted where the host's own requests are
 * of the type `Source`, which its functions get as `source`; `unknown` is anywhere.
 */
export interface Mountable<Source = unknown> {
  /** The services, for adapters. */
  readonly context: Context.Context<App | Drain>
  /** The handler of web-standard requests. */
  readonly fetch?: WebHandler<Source>
}
