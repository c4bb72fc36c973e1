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

/** Responds to a request, and to those outside the mount with a 404 envelope. Never rejects. */
export interface Handler {
  (request: Request): Promise<Response>
  /**
   * Whether the instance serves the method and the path of a request, if only with 404. Reads nothing else, so a host with
   * other routes passes the rest on with their bodies unread.
   */
  readonly match: (request: Pick<Request, "method" | "url">) => boolean
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
 */
export const signalbox = (mountable: Mountable, options: HandlerOptions = {}): Handler => {
  checkOptionTypes("signalbox", options, { mount: ["string"] })
  if (!Context.isContext(Object(mountable).context)) {
    throw new RangeError(
      "expected a Signalbox instance to mount; did you forget `await Signalbox.make()`?"
    )
  }
  const mount = toMountPrefix(options.mount ?? "")
  const app = Context.get(mountable.context, App)
  const respond = makeWebHandler(mountable.context)
  return Object.assign((request: Request) => respond(request, { mount }), {
    match: ({ method, url }: Pick<Request, "method" | "url">) => {
      const path = stripMountPrefix(new URL(url).pathname, mount)
      return path !== undefined && app.match(method, path)
    }
  })
}
