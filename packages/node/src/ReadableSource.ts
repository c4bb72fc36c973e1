/** Pushes the body of a Node request as it arrives. */
import type { Readable } from "node:stream"
import type { BodySink, BodySource } from "@signalbox/core/adapter"
import { atTurnEnd, type TurnWork } from "./atTurnEnd.ts"

/** Reads with Node's own events, and leaves the request intact, because its connection carries the response. */
export class ReadableSource implements BodySource, TurnWork {
  readonly #readable: Sourced
  /** Undefined before the start, and after the end. */
  #sink: BodySink | undefined
  /** Has all of the body, and learns it at the end of the turn. */
  #ended: BodySink | undefined

  constructor(readable: Readable) {
    this.#readable = readable
  }

  start(sink: BodySink): void {
    const readable = this.#readable
    // A host that has read the body left nothing of it.
    if (readable.readableEnded) return sink.end()
    if (readable.destroyed) return sink.fail()
    this.#sink = sink
    readable[source] = this
    readable.on("data", push).on("end", end).on("error", fail).on("close", fail)
    // A hook of the host may have paused it.
    readable.resume()
  }

  pause(): void {
    this.#readable.pause()
  }

  resume(): void {
    this.#readable.resume()
  }

  end(): void {
    this.#ended = this.takeSink()
    if (this.#ended !== undefined) atTurnEnd("body", this)
  }

  onTurnEnd(): void {
    const ended = this.#ended
    this.#ended = undefined
    ended?.end()
  }

  stop(): void {
    this.#ended = undefined
    // A stream that has ended takes its listeners along.
    if (this.takeSink() === undefined) return
    this.#readable.off("data", push).off("end", end).off("error", fail).off("close", fail)
    this.#readable.pause()
  }

  get sink(): BodySink | undefined {
    return this.#sink
  }

  takeSink(): BodySink | undefined {
    const sink = this.#sink
    this.#sink = undefined
    return sink
  }
}

const source = Symbol("signalbox/source")

/** Its listeners find the source by it, so that no request needs listeners of its own. */
type Sourced = Readable & { [source]?: ReadableSource }

function push(this: Sourced, chunk: Uint8Array): void {
  this[source]?.sink?.push(chunk)
}

function end(this: Sourced): void {
  this[source]?.end()
}

function fail(this: Sourced): void {
  this[source]?.takeSink()?.fail()
}
