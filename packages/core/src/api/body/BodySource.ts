/** Where the bytes of a request body come from. */
import * as Context from "effect/Context"
import type * as Scope from "effect/Scope"

/** Pushes the bytes of a body as they arrive. */
export interface BodySource {
  /** Called once. May push at once. */
  readonly start: (sink: BodySink) => void
  /** Pushes no chunk until `resume`. */
  readonly pause: () => void
  readonly resume: () => void
  /** Pushes nothing any more. The connection stays open, because it carries the response. */
  readonly stop: () => void
}

/** Takes the bytes of a body. */
export interface BodySink {
  readonly push: (chunk: Uint8Array) => void
  /** The body is complete. */
  readonly end: () => void
  /** The body broke off, or cannot be read. */
  readonly fail: () => void
}

/** A body that is in memory. */
export const bytesSource = (bytes: Uint8Array): BodySource => ({
  start: (sink) => {
    if (bytes.length > 0) sink.push(bytes)
    sink.end()
  },
  pause: () => {},
  resume: () => {},
  stop: () => {}
})

export const emptySource: BodySource = bytesSource(new Uint8Array())

interface BufferUsage {
  bytes: number
}

/** All instances of a process share one counter by default, because they share its memory. */
export const BufferedBodies: Context.Reference<BufferUsage> = Context.Reference(
  "@signalbox/core/http/body/BufferedBodies",
  { defaultValue: () => ({ bytes: 0 }) }
)

/** The buffered bytes of one request. */
export interface BufferReservation {
  /** Reserves bytes. False if the total would exceed the limit, or after the release. */
  readonly reserve: (bytes: number) => boolean
  readonly release: () => void
}

export const makeBufferReservation = (
  buffered: BufferUsage,
  limitBytes: number
): BufferReservation => {
  let reserved = 0
  let isReleased = false
  return {
    reserve: (bytes) => {
      if (isReleased || buffered.bytes + bytes > limitBytes) return false
      buffered.bytes += bytes
      reserved += bytes
      return true
    },
    release: () => {
      isReleased = true
      buffered.bytes -= reserved
      reserved = 0
    }
  }
}

/** A body as the host's parser left it. */
export interface HostParsedBody {
  readonly value: unknown
}

/** Undefined if the host has not read the body. */
export const HostBody = Context.Reference<HostParsedBody | undefined>(
  "@signalbox/core/http/body/HostBody",
  {
    defaultValue: () => undefined
  }
)

/** By name in lower case. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** What a request has to offer for its body to be read. */
export interface BodyRequest {
  readonly headers: RequestHeaders
  /** The host's own request: Node's, with what middleware added to it, or a web-standard one. */
  readonly source: object
  /** Undefined if the host has not read the body. */
  readonly hostBody: HostParsedBody | undefined
  /** Closes when the response has been sent. */
  readonly scope: Scope.Scope
  /** The body as it was sent; undefined for a request that cannot have a body. */
  readonly openBody: () => BodySource | undefined
  /** The same, for decompressing it. Fails if the body breaks off. */
  readonly iterateBody: () => AsyncIterable<Uint8Array>
}
