/** Sends HTTP requests to upstreams and reports their answers to a listener. A port. */
import type { UpstreamFailure } from "../failures/UpstreamFailure.ts"

/**
 * A request is sent once: nothing is retried, also not on a reset of an idle connection, and redirects are not
 * followed. Only connecting is limited in time; callers limit the rest. Answers are passed on as they arrive,
 * compressed ones without being decompressed unless the platform always does so, as `fetch` does.
 */
export interface UpstreamTransport {
  /**
   * Starts the request and returns a function that aborts it, after which the listener is not called. Aborting closes
   * the connection of an incomplete answer; it does nothing after the end. Except for `onQueued`, the listener is never
   * called before `send` returns.
   */
  readonly send: (request: TransportRequest, listener: TransportListener) => () => void
}

/** A whole request. */
export interface TransportRequest {
  readonly method: "DELETE" | "GET" | "HEAD" | "PATCH" | "POST" | "PUT"
  readonly url: string
  /** By names in lower case; a header with a line break is not sent, and the request fails. */
  readonly headers: Readonly<Record<string, string>>
  /** A text is sent in UTF-8. The `content-type` of a form is set by the transport. */
  readonly body?: string | Uint8Array | FormData | undefined
}

/** Receives one answer: `onResponse`, then `onData` any number of times, then `onEnd`. Must not throw. */
export interface TransportListener {
  /**
   * The request waits, because every connection to its server is in use. Called at most once, before all others; not called
   * by a transport that has no such limit.
   */
  readonly onQueued?: () => void
  /** After `onQueued`: the request is sent now, or it has ended without having been sent. Called while it is aborted, too. */
  readonly onDequeued?: () => void
  /** The status and the headers of the answer, without 1xx answers before it. */
  readonly onResponse: (
    status: number,
    headers: TransportHeaders,
    control: TransportControl
  ) => void
  /** A part of the body, which is never empty and which the listener may keep. */
  readonly onData: (bytes: Uint8Array) => void
  /** The answer is complete. Nothing follows. */
  readonly onEnd: () => void
  /**
   * The request could not be sent, or the answer broke off; may replace each of the other calls. Nothing follows. The
   * failure is `unreachable`, or a `timeout` of connecting, and its phase is `connect`, `headers` or `body`.
   */
  readonly onFailure: (failure: UpstreamFailure) => void
}

/** By names in lower case. */
export type TransportHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Back-pressure: a paused answer stays in the buffers of the connection. */
export interface TransportControl {
  /**
   * Until `resume`, neither `onData` nor `onEnd` is called, except once when the answer is paused outside of
   * `onResponse` and `onData`. Failures are reported.
   */
  readonly pause: () => void
  /** May call the listener before it returns. */
  readonly resume: () => void
}

/** The value of a header; several lines of it are joined. */
export const getHeader = (headers: TransportHeaders, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === "string" || value === undefined ? value : value.join(", ")
}
