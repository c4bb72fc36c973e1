/** Mounts an instance in any host that turns a web-standard `Request` into a `Response`. */
import {
  App,
  checkOptionTypes,
  makeWebHandler,
  type Mountable,
  stripMountPrefix,
  toMountPrefix
} from "@signalbox/core/adapter"
import * as Context from "effect/Context"

/** Where a handler serves the instance. */
export interface HandlerOptions {
  /** The path prefix of the instance in the URLs of requests, such as `/ai`; default: the root. */
  readonly mount?: string
}

/** Where a handler finds the web-standard request of a host that wraps it, such as Hono's context. */
export interface SourceOptions<Source> extends HandlerOptions {
  readonly toRequest: (source: Source) => Request
}

/** Responds to a request, and to those outside the mount with a 404 envelope. Never rejects. */
export interface Handler<Source = Request> {
  (source: Source): Promise<Response>
  /**
   * Whether the instance serves the method and the path of a request, if only with 404. Reads nothing else, so a host with
   * other routes passes the rest on with their bodies unread.
   */
  readonly match: (source: Source) => boolean
}

/**
 * A handler of web-standard requests. It streams in both directions. Aborting `request.signal` and cancelling the body of
 * the response both interrupt the call to the provider. Throws a `RangeError` if `mountable` is neither an instance nor a
 * console, such as a promise of one.
 *
 * ```ts
 * const ai = signalbox(instance, { mount: "/ai" })
 * app.use("/ai/*", ({ req }, next) => (ai.match(req.raw) ? ai(req.raw) : next()))
 * ```
 *
 * The functions of the host get the request as their `source`, or with `toRequest` what the handler is called with:
 *
 * ```ts
 * const ai = signalbox(instance, { mount: "/ai", toRequest: (context: Context) => context.req.raw })
 * app.use("/ai/*", (context, next) => (ai.match(context) ? ai(context) : next()))
 * ```
 */
export const signalbox: {
  <Source extends object>(
    mountable: Mountable<Source>,
    options: SourceOptions<Source>
  ): Handler<Source>
  <Source extends Request = Request>(
    mountable: Mountable<Source>,
    options?: HandlerOptions
  ): Handler<Source>
} = <Source extends object>(
  mountable: Mountable<Source>,
  options?: HandlerOptions & Partial<SourceOptions<Source>>
): Handler<Source> => {
  const given = options ?? {}
  checkOptionTypes("signalbox", given, { mount: ["string"], toRequest: ["function"] })
  if (!Context.isContext(Object(mountable).context)) {
    throw new RangeError(
      "expected a Signalbox instance to mount; did you forget `await Signalbox.make()`?"
    )
  }
  const mount = toMountPrefix(given.mount ?? "")
  const app = Context.get(mountable.context, App)
  const respond = makeWebHandler(mountable.context)
  // Safe: without `toRequest`, `Source` is a `Request`.
  const { toRequest = (source: Source) => source as unknown as Request } = given
  return Object.assign(
    (source: Source) => respond(toRequest(source), { mount, hostRequest: source }),
    {
      match: (source: Source) => {
        const { method, url } = toRequest(source)
        const path = stripMountPrefix(new URL(url).pathname, mount)
        return path !== undefined && app.match(method, path)
      }
    }
  )
}
