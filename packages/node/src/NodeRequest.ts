/** A Node request as Effect's `HttpServerRequest`, without forms, uploads and upgrades, which Signalbox never reads. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Cookies from "effect/http/Cookies"
import * as Headers from "effect/http/Headers"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import { HttpServerError, InternalError, RequestParseError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as UrlParams from "effect/http/UrlParams"
import * as Inspectable from "effect/Inspectable"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { fromReadable } from "./fromReadable.ts"
import { getRequestPath } from "./getRequestPath.ts"

type Changes = Parameters<HttpServerRequest.HttpServerRequest["modify"]>[0]

const decoder = new TextDecoder()

export class NodeRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly [HttpServerRequest.TypeId]: typeof HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: typeof HttpIncomingMessage.TypeId
  readonly source: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  readonly url: string
  readonly protocol: "http" | "https" | undefined
  readonly #changes: Changes
  #headers: Headers.Headers | undefined

  constructor(source: IncomingMessage, response: ServerResponse, changes: Changes = {}) {
    super()
    this[HttpServerRequest.TypeId] = HttpServerRequest.TypeId
    this[HttpIncomingMessage.TypeId] = HttpIncomingMessage.TypeId
    this.source = source
    this.response = response
    this.method = source.method ?? "GET"
    this.url = changes.url ?? getRequestPath(source)
    this.protocol = changes.protocol
    this.#changes = changes
    this.#headers = changes.headers
  }

  get headers(): Headers.Headers {
    return (this.#headers ??= Headers.fromInput(this.source.headers))
  }

  get originalUrl(): string {
    const { headers, socket, url = "/" } = this.source
    if (!url.startsWith("/") || headers.host === undefined) return url
    const isEncrypted = "encrypted" in (socket satisfies Socket)
    return `${isEncrypted ? "https" : "http"}://${headers.host}${url}`
  }

  get remoteAddress(): Option.Option<string> {
    // Injected requests have no socket.
    const socket: Socket | undefined = this.source.socket
    return this.#changes.remoteAddress ?? Option.fromNullishOr(socket?.remoteAddress)
  }

  get peerAddress(): Option.Option<string> {
    return this.#changes.peerAddress ?? this.remoteAddress
  }

  get cookies() {
    return Cookies.parseHeader(this.headers["cookie"] ?? "")
  }

  get stream(): Stream.Stream<Uint8Array, HttpServerError> {
    return fromReadable(this.source, {
      onError: (cause) => this.#unreadable("Parse", cause),
      destroysWhenDone: false
    })
  }

  get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpServerError> {
    return Effect.withFiber((fiber) => {
      const limit = fiber.getRef(HttpIncomingMessage.MaxBodySize)
      const limitBytes = limit === undefined ? Infinity : Number(limit)
      const chunks: Array<Uint8Array> = []
      let bytes = 0
      return Stream.runForEachWhile(this.stream, (chunk) => {
        chunks.push(chunk)
        bytes += chunk.byteLength
        return Effect.succeed(bytes <= limitBytes)
      }).pipe(
        Effect.flatMap(() =>
          bytes > limitBytes
            ? Effect.fail(this.#unreadable("BodyTooLarge", undefined))
            : Effect.succeed(joined(chunks, bytes))
        )
      )
    })
  }

  get text(): Effect.Effect<string, HttpServerError> {
    return Effect.map(this.arrayBuffer, (buffer) => decoder.decode(buffer))
  }

  get json() {
    return Effect.flatMap(this.text, (text) =>
      Effect.try({
        try: () => (text === "" ? null : JSON.parse(text)),
        catch: (cause) => this.#unreadable("Parse", cause)
      })
    )
  }

  get urlParamsBody() {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }

  readonly multipart = Effect.die("uploads are not read")
  readonly multipartStream = Stream.die("uploads are not read")

  get upgrade() {
    return this.upgradeWith()
  }

  upgradeWith() {
    const reason = new InternalError({ request: this, description: "connections are not upgraded" })
    return Effect.fail(new HttpServerError({ reason }))
  }

  modify(changes: Changes): NodeRequest {
    return new NodeRequest(this.source, this.response, {
      url: this.url,
      ...(this.#headers === undefined ? undefined : { headers: this.#headers }),
      ...this.#changes,
      ...changes
    })
  }

  toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, {
      _id: "@signalbox/node/NodeRequest",
      method: this.method,
      url: this.url
    })
  }

  #unreadable(reason: "BodyTooLarge" | "Parse", cause: unknown): HttpServerError {
    const description = reason === "Parse" ? "the body could not be read" : "the body is too large"
    return new HttpServerError({
      reason: new RequestParseError({ request: this, reason, description, cause })
    })
  }
}

const joined = (chunks: ReadonlyArray<Uint8Array>, bytes: number): ArrayBuffer => {
  const whole = new Uint8Array(bytes)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole.buffer
}
