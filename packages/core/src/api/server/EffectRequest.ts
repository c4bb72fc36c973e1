/** Serves the requests of Effect's own servers and of web-standard hosts. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { HostBody, type HostParsedBody, type RequestHeaders } from "../body/BodyRequest.ts"
import { type BodySource, IterableSource } from "../body/BodySource.ts"
import {
  type IncomingRequest,
  type Respond,
  getRequestId,
  requestIdHeader
} from "./IncomingRequest.ts"
import { toHttpResponse } from "../operation/JsonAnswer.ts"
import { HostRequest, Mount } from "./Mount.ts"
import { observeContext } from "./observeRequest.ts"

/** An effect that responds to the request in its context. */
export type RespondEffect = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

export const toRespondEffect = (respond: Respond): RespondEffect =>
  Effect.contextWith(
    (context: Context.Context<HttpServerRequest.HttpServerRequest | Scope.Scope>) => {
      const request = new EffectRequest(context)
      const responded = Effect.provideContext(
        Effect.suspend(() => respond(request)),
        observeContext(context, request)
      )
      return Effect.map(responded, (response) =>
        HttpServerResponse.setHeader(toHttpResponse(response), requestIdHeader, request.requestId)
      )
    }
  )

/** The request, mount and parsed body of a context. */
export class EffectRequest implements IncomingRequest {
  readonly method: string
  readonly url: string
  readonly originalUrl: string
  readonly headers: RequestHeaders
  readonly mount: string
  readonly requestId: string
  hostBody: HostParsedBody | undefined
  readonly scope: Scope.Scope
  readonly #request: HttpServerRequest.HttpServerRequest
  readonly #context: Context.Context<never>

  constructor(context: Context.Context<HttpServerRequest.HttpServerRequest | Scope.Scope>) {
    const request = Context.get(context, HttpServerRequest.HttpServerRequest)
    this.method = request.method
    this.url = request.url
    this.originalUrl = request.originalUrl
    this.headers = request.headers
    this.mount = Context.get(context, Mount)
    this.requestId = getRequestId(request.headers)
    this.hostBody = Context.get(context, HostBody)
    this.scope = Context.get(context, Scope.Scope)
    this.#request = request
    this.#context = context
  }

  get source(): object {
    return this.#request.source
  }

  get hostRequest(): object {
    return Context.get(this.#context, HostRequest) ?? this.source
  }

  openBody(): BodySource | undefined {
    return isBodiless(this.#request.source)
      ? undefined
      : new IterableSource(this.iterateBody(), this.scope)
  }

  iterateBody(): AsyncIterable<Uint8Array> {
    return Stream.toAsyncIterableWith(this.#request.stream, this.#context)
  }
}

/** A web-standard request without a body has no stream. */
const isBodiless = (source: object): boolean => "body" in source && source.body === null
