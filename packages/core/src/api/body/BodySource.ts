/** Where the bytes of a request body come from. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"

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

/** Pushes a body that is read by iterating: of a web-standard request, of a host's hook, or decompressed. */
export class IterableSource implements BodySource {
  readonly #iterable: AsyncIterable<unknown>
  readonly #scope: Scope.Scope
  #iterator: AsyncIterator<unknown> | undefined
  #resumed: PromiseWithResolvers<void> | undefined
  #isOver = false

  /** `scope` closes when the response has been sent. */
  constructor(iterable: AsyncIterable<unknown>, scope: Scope.Scope) {
    this.#iterable = iterable
    this.#scope = scope
  }

  start(sink: BodySink): void {
    void this.#pump(sink)
  }

  pause(): void {
    this.#resumed ??= Promise.withResolvers()
  }

  resume(): void {
    this.#resumed?.resolve()
    this.#resumed = undefined
  }

  /** Closing the iterator may close the connection, so that waits until the response has been sent. */
  stop(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.resume()
    const close = Effect.sync(() => void this.#iterator?.return?.().catch(() => {}))
    Effect.runSync(Scope.addFinalizer(this.#scope, close))
  }

  async #pump(sink: BodySink): Promise<void> {
    try {
      this.#iterator = this.#iterable[Symbol.asyncIterator]()
      for (;;) {
        const { done, value } = await this.#iterator.next()
        if (this.#isOver) return
        if (done === true) {
          this.#isOver = true
          return sink.end()
        }
        sink.push(toBytes(value))
        await this.#resumed?.promise
        if (this.#isOver) return
      }
    } catch {
      if (this.#isOver) return
      this.#isOver = true
      sink.fail()
    }
  }
}

const encoder = new TextEncoder()

/** Streams of a host may have chunks of text. */
const toBytes = (chunk: unknown): Uint8Array => {
  if (chunk instanceof Uint8Array) return chunk
  if (typeof chunk === "string") return encoder.encode(chunk)
  throw new TypeError("a chunk of the body is neither bytes nor text")
}
