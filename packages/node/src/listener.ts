/** Mounts a box in a plain `node:http` server, or in anything with Node's `(req, res, next)`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import {
  stripMountPrefix,
  checkOptionTypes,
  toMountPrefix,
  type Signalbox
} from "@signalbox/core/adapter"
import { getHostParsedBody } from "./getHostParsedBody.ts"
import { getRequestPath } from "./getRequestPath.ts"
import { makeRequestServer } from "./makeRequestServer.ts"

/** Where a listener answers. */
export interface ListenerOptions {
  /** The path prefix under which the box answers, such as `/ai`; default: the root. */
  readonly mount?: string
}

/** What Express and Connect tell of where a handler is mounted. */
interface MountedRequest extends IncomingMessage {
  readonly baseUrl?: string
  readonly body?: unknown
}

/** Fits `http.createServer`, Connect and Express 4 and 5. */
export type Listener = (
  request: MountedRequest,
  response: ServerResponse,
  next?: (error?: unknown) => void
) => void

/**
 * A request listener for `http.createServer`, and a middleware: what is not ours goes to `next` with
 * its stream untouched, or, without a `next`, gets a 404 envelope. Throws a `RangeError` for what is no box, such as
 * a promise of one.
 *
 * ```ts
 * http.createServer(signalbox(box)).listen(3000)
 * ```
 */
export const signalbox = (instance: Signalbox, options: ListenerOptions = {}): Listener => {
  checkOptionTypes("signalbox", options, { mount: ["string"] })
  const { mount = "" } = options
  const prefix = toMountPrefix(mount)
  const { notFound, tryServe } = makeRequestServer(instance)
  return (request, response, next) => {
    const path = stripMountPrefix(getRequestPath(request), prefix)
    const isOurs =
      path !== undefined &&
      tryServe(request, response, {
        mount: (request.baseUrl ?? "") + prefix,
        path,
        body: getHostParsedBody(request)
      })
    if (isOurs) return
    if (next === undefined) notFound(request, response)
    else next()
  }
}
