/** Serves Node requests from an instance. Every Node adapter is built on it. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { App, Drain, type Mountable, toRequestContext } from "@signalbox/core/adapter"
import * as Context from "effect/Context"
import { makeHandle } from "./handle.ts"
import { type HostRequest, NodeRequest } from "./NodeRequest.ts"

/** An adapter calls it for each request. */
export interface RequestServer {
  /**
   * Answers `request` and returns true if Signalbox serves its path. Otherwise returns false and reads nothing. If the
   * client disconnects, its work is interrupted.
   */
  readonly tryServe: (
    request: IncomingMessage,
    response: ServerResponse,
    arrival: HostRequest
  ) => boolean
  /** Answers with a 404 envelope, for hosts without other routes. */
  readonly notFound: (request: IncomingMessage, response: ServerResponse) => void
}

/**
 * Makes the server of an adapter, once per instance or console. Throws a `RangeError` for anything else. An adapter takes a
 * `Mountable` of the requests that it passes on as `source`.
 */
export const makeRequestServer = (mountable: Mountable<never>): RequestServer => {
  if (!Context.isContext(Object(mountable).context)) {
    throw new RangeError(
      "expected a Signalbox instance to mount; did you forget `await Signalbox.make()`?"
    )
  }
  const app = Context.get(mountable.context, App)
  const drain = Context.get(mountable.context, Drain)
  const handle = makeHandle(toRequestContext(mountable.context), app.scope)
  return {
    tryServe: (request, response, arrival) => {
      if (!app.match(request.method ?? "GET", arrival.path)) return false
      // The client disconnected while the host was busy, so no `close` event follows.
      if (response.closed) return true
      const leave = drain.enter()
      const respond = leave === undefined ? app.respondDraining : app.respond
      handle(new NodeRequest(request, response, arrival), respond, leave)
      return true
    },
    notFound: (request, response) => handle(new NodeRequest(request, response), app.respondNotFound)
  }
}
