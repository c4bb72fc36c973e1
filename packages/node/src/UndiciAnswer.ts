/** Passes one answer from undici to the listener of an upstream transport. */
import {
  classifyTransportError,
  type TransportControl,
  type TransportHeaders,
  type TransportListener
} from "@signalbox/core/adapter"
import type { Dispatcher } from "undici"
import { atTurnEnd, type TurnWork } from "./atTurnEnd.ts"
import type { ConnectionQueue } from "./ConnectionQueue.ts"
import { makeTooManyInformational, maxInformational } from "./informational.ts"

export class UndiciAnswer implements Dispatcher.DispatchHandler, TransportControl, TurnWork {
  readonly #listener: TransportListener
  #controller: Dispatcher.DispatchController | undefined
  #informational = 0
  #hasHeaders = false
  /** All of it is there, and the listener learns it at the end of the turn. */
  #hasEnded = false
  #isOver = false
  #isQueued = false
  /** A failure inside `send` waits until `send` has returned. */
  #isSending = true
  #stopWaiting: (() => void) | undefined

  constructor(listener: TransportListener) {
    this.#listener = listener
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get hasConnection(): boolean {
    return this.#controller !== undefined
  }

  /** Fails the request if it waits too long for a connection: nothing was sent, and the provider is not to blame. */
  awaitConnection(queue: ConnectionQueue | undefined, origin: string): void {
    if (this.#isOver || queue === undefined) return
    this.#stopWaiting = queue.watch(origin, (error) => this.fail(error))
    this.#isQueued = queue.isQueued(origin)
    if (this.#isQueued) this.#listener.onQueued?.()
  }

  markSent(): void {
    this.#isSending = false
  }

  abort(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#endWait()
    this.#controller?.abort(aborted)
  }

  fail(error: unknown): void {
    if (this.#isOver) return
    if (this.#isSending) return queueMicrotask(() => this.fail(error))
    this.#isOver = true
    this.#endWait()
    this.#listener.onFailure(classifyTransportError(error, this.#hasHeaders ? "body" : "headers"))
  }

  /** After the end the parser of the connection belongs to another answer. */
  pause(): void {
    if (!this.#hasEnded) this.#controller?.pause()
  }

  resume(): void {
    if (!this.#isOver && !this.#hasEnded) this.#controller?.resume()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#endWait()
    if (this.#isOver) controller.abort(aborted)
    else this.#controller = controller
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: TransportHeaders
  ): void {
    if (this.#isOver) return
    // They would stay in memory as long as the body, a buffer for each name and each value.
    controller.rawHeaders = null
    if (status >= 200) {
      this.#hasHeaders = true
      this.#listener.onResponse(status, headers, this)
    } else if (++this.#informational > maxInformational) {
      controller.abort(makeTooManyInformational())
    }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isOver) this.#listener.onData(chunk)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    this.#hasEnded = true
    atTurnEnd("answer", this)
  }

  onTurnEnd(): void {
    if (this.#isOver) return
    this.#isOver = true
    try {
      this.#listener.onEnd()
    } catch (error) {
      this.#listener.onFailure(classifyTransportError(error, "body"))
    }
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  #endWait(): void {
    this.#stopWaiting?.()
    if (!this.#isQueued) return
    this.#isQueued = false
    this.#listener.onDequeued?.()
  }
}

const aborted = new Error("the request was aborted")
