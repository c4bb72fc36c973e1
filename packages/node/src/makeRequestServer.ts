/** Serves Node requests from an instance. Every Node adapter is built on it. */
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
  shuttingDownResponse,
  toRequestContext
} from "@signalbox/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { makeHandle } from "./handle.ts"
import { NodeRequest } from "./NodeRequest.ts"
import { onResponseClosed } from "./onResponseClosed.ts"

/** What an adapter adds to Node's request and response. */
export interface HostRequest {
  /** The mount, such as `/ai`; empty at the root. */
  readonly mount: string
  /** The path below the mount, with the query. */
  readonly path: string
  /** The body that the host's parser has read, or a stream with which a hook has replaced it. */
  readonly body?: { readonly value: unknown } | undefined
}

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
  readonly notFound: RejectRequest
}

type Respond = App["Service"]["respond"]
type RejectRequest = (request: IncomingMessage, response: ServerResponse) => void

/** Makes the server of an adapter, once per instance. Throws a `RangeError` without an instance. */
export const makeRequestServer = (instance: Signalbox): RequestServer => {
  if (!Context.isContext(Object(instance).context)) {
    throw new RangeError(
      "expected a Signalbox instance to mount; did you forget `await Signalbox.make()`?"
    )
  }
  const app = Context.get(instance.context, App)
  const requestContext = toRequestContext(instance.context)
  const drain = Context.get(instance.context, Drain)
  const handlerOf = (respond: Respond) => {
    const handle = makeHandle(respond, app.scope)
    return (request: IncomingMessage, response: ServerResponse, arrival?: HostRequest) => {
      const named = getHostRequestId(request, response)
      if (arrival === undefined) {
        return handle(new NodeRequest(request, response, { ...named }), requestContext)
      }
      const { body, mount, path } = arrival
      let context: Context.Context<never> =
        mount === "" ? requestContext : Context.add(requestContext, Mount, mount)
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
      // The client disconnected while the host was busy, so no `close` event follows.
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
 * A body of unknown length may be too long to read to its end. The header tells the client not to reuse the connection,
 * where its next request would be lost.
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

/** A stream from the host may also fail, and destroy the request. */
const isOpenEnded = ({ headers }: IncomingMessage, byHost: unknown): boolean =>
  headers["transfer-encoding"] !== undefined || byHost instanceof Readable

/** The request id that the host has set in its response header also applies here. */
const getHostRequestId = (
  request: IncomingMessage,
  response: ServerResponse
): { readonly headers: Headers.Headers } | undefined => {
  const id = response.getHeader(requestIdHeader)
  return typeof id === "string"
    ? { headers: Headers.fromInput({ ...request.headers, [requestIdHeader]: id }) }
    : undefined
}
