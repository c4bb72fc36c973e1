/**
 * A client's connection for one request at a time. It reads no more of an answer than where it ends, because a client
 * that costs more than the server would measure itself.
 */
import { connect, type Socket } from "node:net"

export interface Answer {
  readonly status: number
  /** Server-sent events. */
  readonly events: number
  /** From the request to the first byte of the answer. */
  readonly firstMillis: number
  readonly millis: number
}

const headerEnd = "\r\n\r\n"
const lastChunk = Buffer.from("0\r\n\r\n")
const eventEnd = Buffer.from("\n\n")

export class Connection {
  readonly #socket: Socket
  readonly #onEvents: (events: number) => void
  #resolve: ((answer: Answer) => void) | undefined
  #reject: ((error: Error) => void) | undefined
  #head: Buffer = Buffer.alloc(0)
  /** Bytes of the body that are missing; undefined if it is chunked. */
  #left: number | undefined
  #tail: Buffer = Buffer.alloc(0)
  #isInBody = false
  #status = 0
  #events = 0
  #sentAt = 0
  #firstMillis = 0

  /** `onEvents` hears of events as they arrive. */
  constructor(port: number, onEvents: (events: number) => void = () => {}) {
    this.#onEvents = onEvents
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true })
    this.#socket.on("data", (bytes: Buffer) => this.#read(bytes))
    this.#socket.on("error", (error) => this.#reject?.(error))
    this.#socket.on("close", () => this.#reject?.(new Error("the server closed the connection")))
  }

  send(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#head = Buffer.alloc(0)
      this.#tail = Buffer.alloc(0)
      this.#isInBody = false
      this.#events = 0
      this.#firstMillis = 0
      this.#sentAt = performance.now()
      this.#socket.write(request)
    })
  }

  /** Also ends a request under way. */
  close(): void {
    this.#socket.destroy()
  }

  #read(bytes: Buffer): void {
    if (this.#isInBody) {
      this.#readBody(bytes)
      return
    }
    if (this.#firstMillis === 0) this.#firstMillis = performance.now() - this.#sentAt
    this.#head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes])
    const at = this.#head.indexOf(headerEnd)
    if (at === -1) return
    const head = this.#head.toString("latin1", 0, at).toLowerCase()
    this.#status = Number(head.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1]
    this.#left = length === undefined ? undefined : Number(length)
    this.#isInBody = true
    this.#readBody(this.#head.subarray(at + headerEnd.length))
  }

  #readBody(bytes: Buffer): void {
    if (this.#left !== undefined) {
      this.#left -= bytes.length
      if (this.#left <= 0) this.#end()
      return
    }
    let events = 0
    for (let at = bytes.indexOf(eventEnd); at !== -1; at = bytes.indexOf(eventEnd, at + 2)) events++
    if (events > 0) {
      this.#events += events
      this.#onEvents(events)
    }
    // The end may come in pieces. Nothing else in these answers ends like it.
    const tail = bytes.length < lastChunk.length ? Buffer.concat([this.#tail, bytes]) : bytes
    this.#tail = tail.subarray(-lastChunk.length)
    if (this.#tail.equals(lastChunk)) this.#end()
  }

  #end(): void {
    const resolve = this.#resolve
    this.#resolve = undefined
    this.#reject = undefined
    resolve?.({
      status: this.#status,
      events: this.#events,
      firstMillis: this.#firstMillis,
      millis: performance.now() - this.#sentAt
    })
  }
}
