/** Pushes the body of a Node request as it arrives. */
import type { Readable } from "node:stream"
import type { BodySink, BodySource } from "@signalbox/core/adapter"

/** Reads with Node's own events, and leaves the request intact, because its connection carries the response. */
export class ReadableSource implements BodySource {
  readonly #readable: Readable
  #stopListening: (() => void) | undefined

  constructor(readable: Readable) {
    this.#readable = readable
  }

  start(sink: BodySink): void {
    const readable = this.#readable
    // Whoever has read it already has left nothing.
    if (readable.readableEnded) return sink.end()
    if (readable.destroyed) return sink.fail()
    const push = (chunk: Uint8Array) => sink.push(chunk)
    const end = () => {
      this.#stopListening = undefined
      sink.end()
    }
    const fail = () => sink.fail()
    readable.on("data", push).on("end", end).on("error", fail).on("close", fail)
    this.#stopListening = () => {
      readable.off("data", push).off("end", end).off("error", fail).off("close", fail)
    }
    // A hook of the host may have paused it.
    readable.resume()
  }

  pause(): void {
    this.#readable.pause()
  }

  resume(): void {
    this.#readable.resume()
  }

  stop(): void {
    if (this.#stopListening === undefined) return
    this.#stopListening()
    this.#stopListening = undefined
    this.#readable.pause()
  }
}
