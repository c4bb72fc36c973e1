/** Where the bytes of a request body come from. */

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
