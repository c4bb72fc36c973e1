/** Reads a request body as text, from the stream or from what the host has read already. */
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type * as HttpServerError from "effect/http/HttpServerError"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as Scope from "effect/Scope"
import { InvalidRequest, RequestTooLarge } from "../values/RequestErrors.ts"
import { HostBody } from "./HostBody.ts"

export interface Body {
  readonly text: string
  /** UTF-8 bytes of `text`. */
  readonly bytes: number
}

/** Refuses what is declared or turns out larger than `limitBytes`; the rest of it is not read. */
export const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  limitBytes: number
): Effect.Effect<Body, InvalidRequest | RequestTooLarge> =>
  Effect.flatMap(HostBody, (parsed) => {
    if (parsed !== undefined) return fromHost(parsed.value, limitBytes)
    const declared = Number(request.headers["content-length"] ?? 0)
    if (declared > limitBytes) return Effect.fail(new RequestTooLarge({ limitBytes }))
    return request.arrayBuffer.pipe(
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limitBytes)),
      Effect.mapError((error) => readFailure(error, limitBytes)),
      Effect.flatMap((buffer) => decoded(new Uint8Array(buffer)))
    )
  })

/** The same on its own, until the response is out: whoever stops waiting for it takes the connection away from nobody. */
export const readBodyApart = (
  request: HttpServerRequest.HttpServerRequest,
  limitBytes: number
): Effect.Effect<Body, InvalidRequest | RequestTooLarge, Scope.Scope> =>
  Effect.flatMap(Effect.forkScoped(readBody(request, limitBytes)), Fiber.join)

// What is no UTF-8 is refused (RFC 8259, 8.1) rather than judged with holes in it.
const decoder = new TextDecoder("utf-8", { fatal: true })
const encoder = new TextEncoder()

const decoded = (bytes: Uint8Array): Effect.Effect<Body, InvalidRequest> => {
  try {
    return Effect.succeed({ text: decoder.decode(bytes), bytes: bytes.byteLength })
  } catch {
    return Effect.fail(new InvalidRequest({ path: [], problem: "the body is not valid UTF-8" }))
  }
}

const fromHost = (
  value: unknown,
  limitBytes: number
): Effect.Effect<Body, InvalidRequest | RequestTooLarge> => {
  if (value instanceof Error) return Effect.fail(unreadable)
  if (value instanceof Uint8Array) {
    return value.byteLength > limitBytes
      ? Effect.fail(new RequestTooLarge({ limitBytes }))
      : decoded(value)
  }
  let text: string
  if (typeof value === "string") text = value
  else {
    try {
      text = JSON.stringify(value) ?? ""
    } catch {
      return Effect.fail(new InvalidRequest({ path: [], problem: "the body nests too deeply" }))
    }
  }
  const bytes = encoder.encode(text).byteLength
  return bytes > limitBytes
    ? Effect.fail(new RequestTooLarge({ limitBytes }))
    : Effect.succeed({ text, bytes })
}

const readFailure = (
  { reason }: HttpServerError.HttpServerError,
  limitBytes: number
): InvalidRequest | RequestTooLarge =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
    ? new RequestTooLarge({ limitBytes })
    : unreadable

const unreadable = new InvalidRequest({ path: [], problem: "the body could not be read" })
