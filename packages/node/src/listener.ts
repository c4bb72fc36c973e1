/** Mounts an instance in `node:http`, or in any framework with Node's `(req, res, next)`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import {
  stripMountPrefix,
  checkOptionTypes,
  toMountPrefix,
  type Mountable
} from "@signalbox/core/adapter"
import { findRouteMount } from "./findRouteMount.ts"
import { getHostParsedBody } from "./getHostParsedBody.ts"
import { getRequestPath } from "./getRequestPath.ts"
import { makeRequestServer } from "./makeRequestServer.ts"

/** Where a listener serves the instance. */
export interface ListenerOptions {
  /** The path prefix of the instance, such as `/ai`; default: the root. */
  readonly mount?: string
}

/** A request with the fields that Express and Connect add. */
interface MountedRequest extends IncomingMessage {
  readonly baseUrl?: string
  /** Set for a request that a route has matched. */
  readonly route?: unknown
  readonly body?: unknown
}

/** Fits `http.createServer`, Connect and Express 4 and 5. */
export type Listener = (
  request: MountedRequest,
  response: ServerResponse,
  next?: (error?: unknown) => void
) => void

/**
 * A request listener for `http.createServer`, and a middleware. Requests for other paths go to `next` with their bodies
 * unread; without `next`, they get a 404. Throws a `RangeError` if `mountable` is neither an instance nor a console,
 * such as a promise of one.
 *
 * ```ts
 * const instance = await Signalbox.make(options)
 * http.createServer(signalbox(instance)).listen(3000)
 * ```
 */
export const signalbox = (
  mountable: Mountable<IncomingMessage>,
  options: ListenerOptions = {}
): Listener => {
  checkOptionTypes("signalbox", options, { mount: ["string"] })
  const { mount = "" } = options
  const prefix = toMountPrefix(mount)
  const { notFound, tryServe } = makeRequestServer(mountable)
  return (request, response, next) => {
    const { baseUrl = "", route } = request
    const path = getRequestPath(request)
    const serve = (mount: string, path: string | undefined): boolean =>
      path !== undefined &&
      tryServe(request, response, { mount, path, body: getHostParsedBody(request) })
    if (serve(baseUrl + prefix, stripMountPrefix(path, prefix))) return
    const routed = route === undefined ? undefined : findRouteMount(route, path)
    if (routed !== undefined && serve(baseUrl + routed.mount, routed.path)) return
    // The host says the mount twice.
    if (prefix !== "" && baseUrl.endsWith(prefix) && serve(baseUrl, path)) return
    if (next === undefined) notFound(request, response)
    else next()
  }
}
