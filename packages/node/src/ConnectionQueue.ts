/** Bounds how long requests wait for a connection of undici's pools. */
import { type ConnectionWait, ConnectionsBusy } from "@signalbox/core/adapter"
import type { Agent, Dispatcher } from "undici"

export interface ConnectionQueueOptions {
  /** The connections of a pool. */
  readonly maxConnections: number
  readonly timeoutMillis: number
}

/**
 * undici queues a request without a limit of time while every connection of its origin is busy, and calls
 * `onRequestStart` when a connection takes it
 * (https://github.com/nodejs/undici/blob/main/docs/docs/api/Dispatcher.md#parameter-dispatchhandler).
 */
export class ConnectionQueue {
  readonly #agent: Agent
  readonly #options: ConnectionQueueOptions

  constructor(agent: Agent, options: ConnectionQueueOptions) {
    this.#agent = agent
    this.#options = options
  }

  /** Calls `onBusy` once a request has waited too long, unless the returned function is called before. */
  watch(origin: string, onBusy: (error: ConnectionsBusy) => void): () => void {
    const { timeoutMillis } = this.#options
    const check = (): void => {
      // Connecting has a timeout of its own.
      if (this.#isBusy(origin)) onBusy(new ConnectionsBusy())
      else timer = setTimeout(check, timeoutMillis)
    }
    let timer = setTimeout(check, timeoutMillis)
    return () => clearTimeout(timer)
  }

  /**
   * Whether a request that has just been dispatched, and has not started, waits for others to end and not merely for its own
   * connection to be made. Walks all connections, so it is only asked where `dispatch` has returned false. While the first
   * connection over TLS is made, undici queues the other requests, too
   * (https://github.com/nodejs/undici/blob/main/lib/dispatcher/pool.js).
   */
  isQueued(origin: string): boolean {
    const stats = this.#agent.stats[origin]
    if (stats === undefined) return false
    return "queued" in stats
      ? stats.queued > 0
      : // A pool of one connection is a client, whose queue includes what is being sent.
        stats.running > 0 || stats.pending > 1
  }

  #isBusy(origin: string): boolean {
    const stats = this.#agent.stats[origin]
    if (stats === undefined) return false
    // A pool of one connection is a client, which has no count of free connections.
    const free = "free" in stats ? stats.free : 0
    return Number(stats.connected) >= this.#options.maxConnections && free === 0
  }
}

/** For requests that are sent by the methods of a dispatcher; `wait` hears how long they wait. */
export const limitQueue =
  (
    queue: ConnectionQueue,
    wait: ConnectionWait | undefined
  ): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    const waiting = new WaitingHandler(handler, wait)
    const isReady = dispatch(options, waiting)
    if (!isReady) waiting.watch(queue, String(options.origin))
    return isReady
  }

class WaitingHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler
  readonly #wait: ConnectionWait | undefined
  #isQueued = false
  #isStarted = false
  #busy: ConnectionsBusy | undefined
  #stop: (() => void) | undefined

  constructor(handler: Dispatcher.DispatchHandler, wait: ConnectionWait | undefined) {
    this.#handler = handler
    this.#wait = wait
  }

  watch(queue: ConnectionQueue, origin: string): void {
    if (this.#isStarted) return
    this.#stop = queue.watch(origin, (error) => {
      this.#busy = error
      this.#leaveQueue()
      this.#handler.onResponseError?.(neverStarted, error)
    })
    this.#isQueued = this.#wait !== undefined && queue.isQueued(origin)
    if (this.#isQueued) this.#wait?.onQueued()
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#start()
    if (this.#busy === undefined) this.#handler.onRequestStart?.(controller, context)
    else controller.abort(this.#busy)
  }

  onResponseStart(...event: Parameters<ResponseStart>): void {
    this.#handler.onResponseStart?.(...event)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk)
  }

  onResponseEnd(...event: Parameters<ResponseEnd>): void {
    this.#handler.onResponseEnd?.(...event)
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#start()
    if (this.#busy === undefined) this.#handler.onResponseError?.(controller, error)
  }

  #start(): void {
    this.#isStarted = true
    this.#stop?.()
    this.#leaveQueue()
  }

  #leaveQueue(): void {
    if (!this.#isQueued) return
    this.#isQueued = false
    this.#wait?.onDequeued()
  }
}

type ResponseStart = NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>
type ResponseEnd = NonNullable<Dispatcher.DispatchHandler["onResponseEnd"]>

/** The controller of a request that no connection has taken: there is nothing to control. */
const neverStarted: Dispatcher.DispatchController = {
  aborted: true,
  paused: false,
  reason: null,
  rawHeaders: null,
  rawTrailers: null,
  abort: () => {},
  pause: () => {},
  resume: () => {}
}
