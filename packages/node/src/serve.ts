/** Serves Node requests from a box: what every Node adapter is built on. */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import {
  App,
  Drain,
  HostBody,
  match,
  Mount,
  notFound,
  refuse,
  type Signalbox,
  turnedAway
} from "@signalbox/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"

/** What an adapter knows of a request beside Node's objects. */
export interface Arrival {
  /** Where the host mounted us: `""` at the root, else such as `/ai`. */
  readonly mount: string
  /** The path below the mount, with the query. */
  readonly path: string
  /** The body, when the host's own parser has read it already. */
  readonly body?: { readonly value: unknown } | undefined
}

/** What an adapter does with each request. */
export interface Serve {
  /**
   * Answers `request` if it is ours and returns true; otherwise returns false and has touched
   * nothing. A client that leaves interrupts what was done for it.
   */
  readonly tryServe: (
    request: IncomingMessage,
    response: ServerResponse,
    arrival: Arrival
  ) => boolean
  /** For hosts with nobody after us: our 404 envelope. */
  readonly notFound: TurnAway
}

type Respond = App["Service"]["respond"]
type TurnAway = (request: IncomingMessage, response: ServerResponse) => void

/** For adapters, once for each box. Throws a `RangeError` for what is none. */
export const serve = (box: Signalbox): Serve => {
  if (!Context.isContext(Object(box).context)) {
    throw new RangeError("what is mounted is no box; is there an await before Signalbox.make?")
  }
  const app = Context.get(box.context, App)
  const drain = Context.get(box.context, Drain)
  const arrivals = new WeakMap<object, Arrival>()

  const arrived = (respond: Respond) =>
    Effect.updateContext(
      respond,
      (context: Context.Context<HttpServerRequest.HttpServerRequest | Scope.Scope>) => {
        const request = Context.get(context, HttpServerRequest.HttpServerRequest)
        const arrival = arrivals.get(NodeHttpServerRequest.toIncomingMessage(request))
        if (arrival === undefined) return context
        const { body, mount, path } = arrival
        let placed = context
        if (path !== request.url) {
          placed = Context.add(
            placed,
            HttpServerRequest.HttpServerRequest,
            request.modify({ url: path })
          )
        }
        if (mount !== "") placed = Context.add(placed, Mount, mount)
        return body === undefined ? placed : Context.add(placed, HostBody, body)
      }
    )

  const handlerOf = (respond: Respond) =>
    Effect.runSync(
      NodeHttpServer.makeHandler(arrived(respond), { scope: app.scope }).pipe(
        Effect.provideContext(box.context)
      )
    )

  const handle = handlerOf(app.respond)
  const handleChunked = handlerOf(closingIfUnread(app.respond))
  const refuseDraining = handlerOf(closingIfUnread(turnedAway))

  return {
    tryServe: (request, response, arrival) => {
      if (match(request.method ?? "GET", arrival.path) === undefined) return false
      // The client left while the host was busy: nobody is there, and no event will say so.
      if (response.closed) return true
      arrivals.set(request, arrival)
      const leave = drain.enter()
      if (leave === undefined) {
        refuseDraining(request, response)
      } else {
        response.once("close", leave)
        const isChunked = request.headers["transfer-encoding"] !== undefined
        const answer = isChunked ? handleChunked : handle
        answer(request, response)
      }
      return true
    },
    notFound: handlerOf(closingIfUnread(Effect.succeed(refuse(notFound))))
  }
}

/**
 * A body of unknown length that is still arriving may turn out too long to wait for; a client that
 * is not told loses its next request on the connection.
 */
const closingIfUnread = (respond: Respond): Respond =>
  Effect.zipWith(respond, HttpServerRequest.HttpServerRequest, (response, request) => {
    const { complete, headers } = NodeHttpServerRequest.toIncomingMessage(request)
    return complete || headers["transfer-encoding"] === undefined
      ? response
      : HttpServerResponse.setHeader(response, "connection", "close")
  })
