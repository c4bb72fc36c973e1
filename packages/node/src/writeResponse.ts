/** Writes an Effect response to Node's, and leaves the connection in a state that loses neither this response nor the next request. */
import { Buffer } from "node:buffer"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { Readable } from "node:stream"
import {
  type AnyResponse,
  findPushedText,
  JsonAnswer,
  jsonType,
  type PendingRun,
  requestIdHeader
} from "@signalbox/core/adapter"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Cookies from "effect/http/Cookies"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { atTurnEnd, type TurnWork } from "./atTurnEnd.ts"
import { awaitReader, destroyUnread } from "./stalledReader.ts"
import type { NodeRequest } from "./NodeRequest.ts"
import { ResponseText } from "./ResponseText.ts"

/**
 * Fails with the cause of a body that broke off; the client sees a cut connection, never a clean end. A client that takes
 * nothing for `unreadTimeoutMillis` loses its connection. A whole body is written at the end of the turn, in the asynchronous
 * scope of `run`.
 */
export const writeResponse = (
  run: PendingRun,
  request: NodeRequest,
  response: AnyResponse,
  unreadTimeoutMillis: number
): Effect.Effect<void> => {
  const to = request.response
  if (to.writableEnded || to.destroyed) return Effect.void
  try {
    if (response instanceof JsonAnswer) writeJsonHead(request, response)
    else writeHead(request, response)
  } catch (defect) {
    // A header value was invalid in HTTP.
    to.writeHead(500).end()
    return Effect.die(defect)
  }
  if (response instanceof JsonAnswer) return end(run, to, unreadTimeoutMillis, response.text)
  const { body } = response
  if (request.method === "HEAD" || HttpServerResponse.omitsBody(response)) {
    return end(run, to, unreadTimeoutMillis)
  }
  switch (body._tag) {
    case "Empty":
      return end(run, to, unreadTimeoutMillis)
    case "Uint8Array":
      return end(run, to, unreadTimeoutMillis, body.text ?? body.body)
    case "Stream":
      return writeStream(to, body.stream, unreadTimeoutMillis)
    case "FormData":
    case "Raw":
      return Effect.die(`a ${body._tag} body cannot be written`)
  }
}

/** Only requests that are not `HEAD` are answered so. */
const writeJsonHead = (request: NodeRequest, { headers, status, text }: JsonAnswer): void => {
  const length = String(Buffer.byteLength(text))
  const { requestId } = request
  const list = ["content-type", jsonType, "content-length", length, requestIdHeader, requestId]
  for (const name in headers) list.push(name, headers[name]!)
  if (leavesMuchUnread(request, true)) list.push("connection", "close")
  request.response.writeHead(status, list)
}

const writeHead = (request: NodeRequest, response: HttpServerResponse.HttpServerResponse): void => {
  const { status, statusText } = response
  const headers: Record<string, Array<string> | string> = {
    ...response.headers,
    [requestIdHeader]: request.requestId
  }
  if (!Cookies.isEmpty(response.cookies)) {
    // Cookies of the host's middleware stay.
    const byHost = request.response.getHeader("set-cookie") ?? []
    headers["set-cookie"] = [
      ...[byHost].flat().map(String),
      ...Cookies.toSetCookieHeaders(response.cookies)
    ]
  }
  if (status === 204 || status === 205) delete headers["content-length"]
  if (leavesMuchUnread(request, response.body._tag !== "Stream")) headers["connection"] = "close"
  if (statusText === undefined) request.response.writeHead(status, headers)
  else request.response.writeHead(status, statusText, headers)
}

/**
 * The rest of the request is too long, or of unknown length, to be read to its end. The header tells the client not to
 * reuse the connection, where its next request would be lost.
 */
const leavesMuchUnread = ({ hostBody, source }: NodeRequest, isWhole: boolean): boolean => {
  if (source.complete) return false
  if (isOpenEnded(source, hostBody?.value)) return true
  return isWhole && Number(source.headers["content-length"] ?? 0) > unreadLimitBytes
}

/** A stream from the host may also fail, and destroy the request. */
const isOpenEnded = ({ headers }: IncomingMessage, byHost: unknown): boolean =>
  headers["transfer-encoding"] !== undefined || byHost instanceof Readable

const end = (
  run: PendingRun,
  to: ServerResponse,
  unreadTimeoutMillis: number,
  chunk?: Uint8Array | string
): Effect.Effect<void> => {
  atTurnEnd("response", new WholeResponse(run, to, unreadTimeoutMillis, chunk))
  return Effect.void
}

/** A response whose head is set, and whose body is in memory. */
class WholeResponse implements TurnWork {
  readonly #run: PendingRun
  readonly #to: ServerResponse
  readonly #unreadTimeoutMillis: number
  readonly #chunk: Uint8Array | string | undefined

  constructor(
    run: PendingRun,
    to: ServerResponse,
    unreadTimeoutMillis: number,
    chunk: Uint8Array | string | undefined
  ) {
    this.#run = run
    this.#to = to
    this.#unreadTimeoutMillis = unreadTimeoutMillis
    this.#chunk = chunk
  }

  onTurnEnd(): void {
    this.#run.callBack(WholeResponse.#end, this)
  }

  static readonly #end = (response: WholeResponse): void => {
    const to = response.#to
    // The client has left, or the host has ended it.
    if (to.destroyed || to.writableEnded) return
    try {
      to.end(response.#chunk)
    } catch (defect) {
      // A host may have replaced the method. Its client must not wait for the rest.
      to.destroy()
      response.#run.fork(Effect.logError("a response could not be ended", Cause.die(defect)), true)
      return
    }
    watchRest(to, response.#unreadTimeoutMillis)
  }
}

/** Most responses have left the process by now. */
const watchRest = (to: ServerResponse, unreadTimeoutMillis: number): void => {
  if (to.writableLength + (to.socket?.writableLength ?? 0) > 0) {
    to.once("finish", destroyUnread(to, unreadTimeoutMillis))
  }
}

const writeStream = (
  to: ServerResponse,
  stream: Stream.Stream<Uint8Array, unknown>,
  unreadTimeoutMillis: number
): Effect.Effect<void> => {
  const pushed = findPushedText(stream)
  if (pushed !== undefined) {
    const text = new ResponseText(to, unreadTimeoutMillis)
    const written = pushed.run((texts) => text.write(texts.join("")))
    return endAfter(to, written, () => {
      text.end()
      watchRest(to, unreadTimeoutMillis)
    })
  }
  const written = Stream.runForEachArray(Stream.orDie(stream), (chunks) => {
    const [first] = chunks
    const chunk = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
    return write(to, chunk, unreadTimeoutMillis)
  })
  return endAfter(to, written, () => {
    to.end()
    watchRest(to, unreadTimeoutMillis)
  })
}

const endAfter = (
  to: ServerResponse,
  written: Effect.Effect<void>,
  endResponse: () => void
): Effect.Effect<void> =>
  Effect.matchCauseEffect(Effect.interruptible(written), {
    onSuccess: () => Effect.sync(endResponse),
    onFailure: (cause) => abortResponse(to, cause)
  })

/** Waits while the connection is slower than its source. */
const write = (
  to: ServerResponse,
  chunk: Uint8Array,
  unreadTimeoutMillis: number
): Effect.Effect<void> => {
  // The host may have ended the response, for example by a timeout. Another write would be an unhandled error.
  if (to.writableEnded) return Effect.interrupt
  return to.write(chunk) ? Effect.void : awaitReader(to, to, unreadTimeoutMillis)
}

/** Ending it would make a partial body look complete. */
const abortResponse = (to: ServerResponse, cause: Cause.Cause<never>): Effect.Effect<void> =>
  Effect.suspend(() => {
    to.destroy()
    return Effect.failCause(cause)
  })

/** Up to this size, an unread body is discarded, so that the connection can be reused. */
const unreadLimitBytes = 256 * 1024

/** Milliseconds in which a client can read a response before its connection is reset. */
const closingMillis = 500

/** Fields that Node's own `finish` listener reads right after ours. */
interface Internals {
  readonly request: { _consuming: boolean }
  readonly response: { _last: boolean }
}

/**
 * Node reads an unread body of any length to its end. It also destroys a closing connection as soon as the response is
 * flushed. If bytes of the request are still queued, that resets the connection and can lose the response. Call this
 * before Node's own `finish` listener runs.
 */
export const releaseConnection = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.complete || request.destroyed) return
  const internals = { request, response } as unknown as Internals
  if (internals.response._last) {
    internals.request._consuming = true
    internals.response._last = false
    return closeGracefully(request.socket)
  }
  let bytes = 0
  request.on("data", (chunk: Uint8Array) => {
    bytes += chunk.byteLength
    if (bytes <= unreadLimitBytes) return
    request.pause()
    closeGracefully(request.socket)
  })
  request.resume()
}

const closeGracefully = (socket: Socket): void => {
  if (socket.destroyed) return
  socket.end()
  const timer = setTimeout(() => socket.destroy(), closingMillis)
  socket.once("close", () => clearTimeout(timer))
}
