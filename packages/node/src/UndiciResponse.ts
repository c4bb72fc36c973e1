/** A response of undici as Effect's `HttpClient` returns it. */
import * as Effect from "effect/Effect"
import * as Cookies from "effect/http/Cookies"
import * as Headers from "effect/http/Headers"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as UrlParams from "effect/http/UrlParams"
import * as Inspectable from "effect/Inspectable"
import * as Option from "effect/Option"
import { type Pipeable, pipeArguments } from "effect/Pipeable"
import type * as Stream from "effect/Stream"
import type { Dispatcher } from "undici"
import { fromReadable } from "./fromReadable.ts"

export class UndiciResponse
  extends Inspectable.Class
  implements HttpClientResponse.HttpClientResponse, Pipeable
{
  readonly [HttpIncomingMessage.TypeId]: typeof HttpIncomingMessage.TypeId
  readonly [HttpClientResponse.TypeId]: typeof HttpClientResponse.TypeId
  readonly request: HttpClientRequest.HttpClientRequest
  readonly source: Dispatcher.ResponseData
  readonly url: string
  readonly status: number
  readonly headers: Headers.Headers
  readonly remoteAddress: Option.Option<string> = Option.none()

  constructor(
    request: HttpClientRequest.HttpClientRequest,
    source: Dispatcher.ResponseData,
    url: string
  ) {
    super()
    this[HttpIncomingMessage.TypeId] = HttpIncomingMessage.TypeId
    this[HttpClientResponse.TypeId] = HttpClientResponse.TypeId
    this.request = request
    this.source = source
    this.url = url
    this.status = source.statusCode
    this.headers = Headers.fromInput(source.headers)
    // Without a listener, an error after the last read would end the process. Readers add their own.
    source.body.on("error", () => undefined)
  }

  get cookies() {
    return Cookies.fromSetCookie(this.source.headers["set-cookie"] ?? [])
  }

  get stream(): Stream.Stream<Uint8Array, HttpClientError.HttpClientError> {
    return fromReadable(this.source.body, {
      onError: (cause) => this.#undecodable(cause),
      destroysWhenDone: true
    })
  }

  get arrayBuffer() {
    return this.#decode(() => this.source.body.arrayBuffer())
  }

  get text() {
    return Effect.map(this.arrayBuffer, (buffer) => new TextDecoder().decode(buffer))
  }

  get json() {
    return Effect.flatMap(this.text, (text) =>
      Effect.try({
        try: () => (text === "" ? null : JSON.parse(text)),
        catch: (cause) => this.#undecodable(cause)
      })
    )
  }

  get urlParamsBody() {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }

  get formData() {
    return Effect.fail(this.#undecodable(new Error("forms of providers are not read")))
  }

  get upgrade() {
    return Effect.fail(this.#undecodable(new Error("connections are not upgraded")))
  }

  toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, {
      _id: "@signalbox/node/UndiciResponse",
      request: this.request.toJSON(),
      status: this.status
    })
  }

  pipe() {
    return pipeArguments(this, arguments)
  }

  #decode<A>(read: () => Promise<A>): Effect.Effect<A, HttpClientError.HttpClientError> {
    return Effect.tryPromise({ try: read, catch: (cause) => this.#undecodable(cause) })
  }

  #undecodable(cause: unknown): HttpClientError.HttpClientError {
    return new HttpClientError.HttpClientError({
      reason: new HttpClientError.DecodeError({ request: this.request, response: this, cause })
    })
  }
}
