/** A Node request as the core reads it. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import {
  type BodySource,
  getRequestId,
  type HostParsedBody,
  type IncomingRequest,
  requestIdHeader
} from "@signalbox/core/adapter"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { fromReadable } from "./fromReadable.ts"
import { getRequestPath } from "./getRequestPath.ts"
import { ReadableSource } from "./ReadableSource.ts"

type RequestHeaders = IncomingRequest["headers"]

/** What an adapter adds to Node's request and response. */
export interface HostRequest {
  /** The mount, such as `/ai`; empty at the root. */
  readonly mount: string
  /** The path below the mount, with the query. */
  readonly path: string
  /** The body that the host's parser has read, or a stream with which a hook has replaced it. */
  readonly body?: HostParsedBody | undefined
  /** What the functions of the host get as `source`; default: Node's request. */
  readonly source?: object
}

export class NodeRequest implements IncomingRequest {
  /** Express and Connect keep its target, before they take the mount off. */
  readonly source: IncomingMessage & { readonly originalUrl?: string }
  readonly response: ServerResponse
  hostBody: HostParsedBody | undefined
  readonly requestId: string
  readonly #arrival: HostRequest
  #scope: Scope.Closeable | undefined
  #headers: RequestHeaders | undefined

  constructor(
    source: IncomingMessage,
    response: ServerResponse,
    arrival: HostRequest = { mount: "", path: getRequestPath(source) }
  ) {
    this.source = source
    this.response = response
    this.#arrival = arrival
    this.hostBody = arrival.body
    // The request id that the host has set in its response header also applies here.
    const byHost = response.getHeader(requestIdHeader)
    this.requestId = getRequestId(
      typeof byHost === "string" ? { [requestIdHeader]: byHost } : this.headers
    )
  }

  get url(): string {
    return this.#arrival.path
  }

  get mount(): string {
    return this.#arrival.mount
  }

  get hostRequest(): object {
    return this.#arrival.source ?? this.source
  }

  get method(): string {
    return this.source.method ?? "GET"
  }

  /** Hosts that serve no sockets may make requests with none. */
  get connection(): Socket | undefined {
    return this.source.socket ?? undefined
  }

  get headers(): RequestHeaders {
    return (this.#headers ??= joinLists(this.source.headers))
  }

  get originalUrl(): string {
    const { headers, socket } = this.source
    const url = this.source.originalUrl ?? this.source.url ?? "/"
    if (!url.startsWith("/") || headers.host === undefined) return url
    const isEncrypted = "encrypted" in (socket satisfies Socket)
    return `${isEncrypted ? "https" : "http"}://${headers.host}${url}`
  }

  /** Made when it is first read, because few requests need it. */
  get scope(): Scope.Scope {
    return (this.#scope ??= Scope.makeUnsafe())
  }

  /** The scope if it has been made. */
  get openScope(): Scope.Closeable | undefined {
    return this.#scope
  }

  openBody(): BodySource {
    return new ReadableSource(this.source)
  }

  iterateBody(): AsyncIterable<Uint8Array> {
    return Stream.toAsyncIterable(
      fromReadable(this.source, { onError: (cause) => cause, destroysWhenDone: false })
    )
  }
}

/** Node has lists of `set-cookie` only, which no client sends. */
const joinLists = (headers: IncomingMessage["headers"]): RequestHeaders =>
  headers["set-cookie"] === undefined
    ? // Safe: every other header is a string.
      (headers as RequestHeaders)
    : { ...(headers as RequestHeaders), "set-cookie": headers["set-cookie"].join(", ") }
