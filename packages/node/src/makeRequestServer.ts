/** Serves Node requests from a box: what every Node adapter is built on. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import {
  App,
  Drain,
  respondNotFound,
  HostBody,
  isServedPath,
  Mount,
  requestIdHeader,
  type Signalbox,
  shuttingDownResponse
} from "@signalbox/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { makeHandle } from "./handle.ts"
import { NodeRequest } from "./NodeRequest.ts"
import { onResponseClosed } from "./onResponseClosed.ts"

/** What an adapter knows of a request beside Node's objects. */
export interface HostRequest {
  /** Where the host mounted us: `""` at the root, else such as `/ai`. */
  readonly mount: string
  /** The path below the mount, with the query. */
  readonly path: string
  /** The body, when the host's own parser has read it already, or a stream that a hook has put in its place. */
  readonly body?: { readonly value: unknown } | undefined
}

/** What an adapter does with each request. */
export interface RequestServer {
  /**
   * Answers `request` if it is ours and returns true; otherwise returns false and has touched
   * nothing. A client that leaves interrupts what was done for it.
   */
  readonly tryServe: (
    request: IncomingMessage,
    response: ServerResponse,
    arrival: HostRequest
  ) => boolean
  /** For hosts with nobody after us: our 404 envelope. */
  readonly notFound: RejectRequest
}

type Respond = App["Service"]["respond"]
type RejectRequest = (request: IncomingMessage, response: ServerResponse) => void

/** For adapters, once for each box. Throws a `RangeError` for what is none. */
export const makeRequestServer = (instance: Signalbox): RequestServer => {
  if (!Context.isContext(Object(instance).context)) {
    throw new RangeError("expected a box to mount; did you forget `await Signalbox.make()`?")
  }
  const app = Context.get(instance.context, App)
  const drain = Context.get(instance.context, Drain)
  const handlerOf = (respond: Respond) => {
    const handle = makeHandle(respond, app.scope)
    return (request: IncomingMessage, response: ServerResponse, arrival?: HostRequest) => {
      const named = getHostRequestId(request, response)
      if (arrival === undefined) {
        return handle(new NodeRequest(request, response, { ...named }), instance.context)
      }
      const { body, mount, path } = arrival
      let context = mount === "" ? instance.context : Context.add(instance.context, Mount, mount)
      if (body !== undefined) context = Context.add(context, HostBody, body)
      handle(new NodeRequest(request, response, { url: path, ...named }), context)
    }
  }

  const handle = handlerOf(app.respond)
  const handleOpenEnded = handlerOf(closeIfUnread(app.respond))
  const refuseDraining = handlerOf(closeIfUnread(shuttingDownResponse))

  return {
    tryServe: (request, response, arrival) => {
      if (!isServedPath(request.method ?? "GET", arrival.path)) return false
      // The client left while the host was busy: nobody is there, and no event will say so.
      if (response.closed) return true
      const leave = drain.enter()
      if (leave === undefined) {
        refuseDraining(request, response, arrival)
      } else {
        onResponseClosed(request, response, leave)
        const answer = isOpenEnded(request, arrival.body?.value) ? handleOpenEnded : handle
        answer(request, response, arrival)
      }
      return true
    },
    notFound: handlerOf(closeIfUnread(respondNotFound))
  }
}

/**
 * A body of unknown length that is still arriving may turn out too long to wait for; a client that
 * is not told loses its next request on the connection.
 */
const closeIfUnread = (respond: Respond): Respond =>
  Effect.gen(function* () {
    const response = yield* respond
    const request = yield* HttpServerRequest.HttpServerRequest
    const byHost = yield* HostBody
    return !(request instanceof NodeRequest) ||
      request.source.complete ||
      !isOpenEnded(request.source, byHost?.value)
      ? response
      : HttpServerResponse.setHeader(response, "connection", "close")
  })

/** A decoder of the host may also break, and take the request with it. */
const isOpenEnded = ({ headers }: IncomingMessage, byHost: unknown): boolean =>
  headers["transfer-encoding"] !== undefined || byHost instanceof Readable

/** A host that has named the request in its response header has named it for us too. */
const getHostRequestId = (
  request: IncomingMessage,
  response: ServerResponse
): { readonly headers: Headers.Headers } | undefined => {
  const id = response.getHeader(requestIdHeader)
  return typeof id === "string"
    ? { headers: Headers.fromInput({ ...request.headers, [requestIdHeader]: id }) }
    : undefined
}
