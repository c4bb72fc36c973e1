/** Writes the text of a streamed response, all of a turn of the event loop at once. */
import { Buffer } from "node:buffer"
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as Effect from "effect/Effect"
import { awaitReader } from "./stalledReader.ts"

// An import reads every export of `node:http`, and one of them loads Node's own undici, which takes 30 ms.
const { prototype } = process.getBuiltinModule("node:http").ServerResponse

export class ResponseText {
  readonly #to: ServerResponse
  /** What the last text was written to. */
  #target: ServerResponse | Socket | undefined
  #pending = ""
  readonly #unreadTimeoutMillis: number

  constructor(to: ServerResponse, unreadTimeoutMillis: number) {
    this.#to = to
    this.#unreadTimeoutMillis = unreadTimeoutMillis
  }

  /** Waits while the connection is slower than its source. */
  write(text: string): Effect.Effect<void> {
    // The host may have ended the response, for example by a timeout. Another write would be an unhandled error.
    if (this.#to.writableEnded) return Effect.interrupt
    if (this.#pending === "") process.nextTick(flush, this)
    this.#pending += text
    if (this.#pending.length >= maxPending) this.flush()
    return this.#target?.writableNeedDrain === true
      ? awaitReader(this.#to, this.#target, this.#unreadTimeoutMillis)
      : Effect.void
  }

  flush(): void {
    const text = this.#pending
    this.#pending = ""
    const to = this.#to
    if (text === "" || to.writableEnded || to.destroyed) return
    // The first text goes with the headers.
    const socket = this.#target === undefined ? undefined : findChunkedSocket(to)
    if (socket === undefined) to.write(text)
    else writeChunk(socket, text)
    this.#target = socket ?? to
  }

  end(): void {
    const text = this.#pending
    this.#pending = ""
    this.#to.end(text)
  }
}

const flush = (response: ResponseText): void => response.flush()

/** Characters; Node copies the bytes of longer texts. */
const maxPending = 16_000

/**
 * The connection, unless the response does more than pass chunks to it. A chunk that is written to it directly is one
 * text, where Node writes four.
 */
const findChunkedSocket = (to: ServerResponse): Socket | undefined => {
  const { socket } = to
  const isPassed =
    to.write === prototype.write &&
    to.chunkedEncoding &&
    to.writableLength === socket?.writableLength
  return isPassed && socket !== null ? socket : undefined
}

const writeChunk = (socket: Socket, text: string): void => {
  const size = Buffer.byteLength(text)
  socket.write(`${size.toString(16)}\r\n${text}\r\n`, size === text.length ? "latin1" : "utf8")
}
