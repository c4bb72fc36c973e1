/** Effect's `HttpClient` on undici, which is loaded with the first request: a process that sends none does without. */
import * as Effect from "effect/Effect"
import * as Cookies from "effect/http/Cookies"
import * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as UrlParams from "effect/http/UrlParams"
import * as Inspectable from "effect/Inspectable"
import * as Option from "effect/Option"
import { type Pipeable, pipeArguments } from "effect/Pipeable"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type * as UndiciModule from "undici"
import type { Agent, Dispatcher } from "undici"
import { fromReadable } from "./fromReadable.ts"

type Undici = typeof UndiciModule

/**
 * `agentOptions` runs when undici is loaded. The client neither repeats requests nor follows redirects. It limits only the
 * time to connect; callers limit the rest.
 */
export const makeUndiciClient = (
  agentOptions: (undici: Undici) => Agent.Options
): Effect.Effect<HttpClient.HttpClient, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => makeLazyAgent(agentOptions)),
      close
    ),
    (agent) =>
      HttpClient.make((request, url, signal) =>
        Effect.map(
          Effect.tryPromise({
            try: async () => {
              const { dispatcher, undici } = await agent.get()
              return dispatcher.request({
                ...toBody(request, undici),
                origin: url.origin,
                path: url.pathname + url.search,
                method: request.method,
                headersTimeout: 0,
                bodyTimeout: 0,
                onInfo: limitInformational(),
                signal
              })
            },
            catch: (cause) =>
              new HttpClientError.HttpClientError({
                reason: new HttpClientError.TransportError({ request, cause })
              })
          }),
          (source) => new UndiciResponse(request, source, url.href.replace(/#.*/, ""))
        )
      )
  )

/** Breaks a request off whose server announces an answer again and again: each costs, and none is one. */
const limitInformational = (): (() => void) => {
  let left = maxInformational
  return () => {
    if (left-- === 0) {
      throw Object.assign(new Error("too many 1xx answers"), { code: "ERR_TOO_MANY_1XX" })
    }
  }
}

/** A server that says every few seconds that it is working on it says so less often. */
const maxInformational = 256

interface LoadedAgent {
  readonly dispatcher: Dispatcher
  readonly undici: Undici
}

interface LazyAgent {
  readonly get: () => Promise<LoadedAgent>
  readonly loaded: () => Promise<LoadedAgent> | undefined
}

const makeLazyAgent = (agentOptions: (undici: Undici) => Agent.Options): LazyAgent => {
  let loaded: Promise<LoadedAgent> | undefined
  return {
    get: () =>
      (loaded ??= import("undici").then((undici) => ({
        dispatcher: new undici.Agent(agentOptions(undici)),
        undici
      }))),
    loaded: () => loaded
  }
}

const close = (agent: LazyAgent) =>
  Effect.promise(async () => {
    const loaded = await agent.loaded()
    await loaded?.dispatcher.destroy()
  })

const toBody = (
  { body, headers }: HttpClientRequest.HttpClientRequest,
  undici: Undici
): Pick<Dispatcher.RequestOptions, "body" | "headers"> => {
  switch (body._tag) {
    case "Empty":
      return { headers }
    case "Uint8Array":
      return { headers, body: body.body }
    case "FormData": {
      const form = new undici.FormData()
      for (const [name, value] of body.formData) form.append(name, value)
      // Undici sets this header, with its own boundary.
      return { headers: Headers.remove(headers, "content-type"), body: form }
    }
    case "Raw":
    case "Stream":
      throw new TypeError(`a ${body._tag} body is not sent`)
  }
}

class UndiciResponse
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
