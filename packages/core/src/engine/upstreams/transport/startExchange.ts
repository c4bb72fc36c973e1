/** One request to an upstream and its whole answer as text, bounded in time and size. */
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type { SettingsShape } from "../../../instance/Settings.ts"
import { readMonotonicMillis } from "../../../values/SteadyTime.ts"
import { startTimer, type Timer } from "../../../values/startTimer.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { CurrentConnectionWait } from "./sendOnce.ts"
import {
  getHeader,
  type TransportHeaders,
  type TransportListener,
  type TransportRequest,
  type UpstreamTransport
} from "./UpstreamTransport.ts"

export interface ExchangeListener {
  readonly onAnswer: (status: number, headers: TransportHeaders, text: string) => void
  /** Without a whole answer; the status and the headers are there if the body is missing. */
  readonly onFailure: (
    failure: UpstreamFailure,
    status?: number,
    headers?: TransportHeaders
  ) => void
}

type Limits = Pick<
  SettingsShape,
  "bodyTimeoutMillis" | "headersTimeoutMillis" | "maxUpstreamBodyBytes"
>

/** An exchange that goes on. */
export interface RunningExchange {
  readonly abort: () => void
}

/**
 * Sends the request and calls the listener once, unless the exchange is aborted. `context` has what hears
 * of a wait for a connection.
 */
export const startExchange = (
  transport: UpstreamTransport,
  request: TransportRequest,
  limits: Limits,
  clock: Clock.Clock,
  context: Context.Context<never>,
  listener: ExchangeListener
): RunningExchange => {
  const exchange = new Exchange(limits, clock, context, listener)
  exchange.start(transport, request)
  return exchange
}

class Exchange implements TransportListener {
  readonly #limits: Limits
  readonly #clock: Clock.Clock
  readonly #context: Context.Context<never>
  readonly #listener: ExchangeListener
  #abort: (() => void) | undefined
  /** When the part of the answer that is awaited is late, in monotonic milliseconds. */
  #deadlineAt: number
  #timer: Timer
  #timerEndsAt: number
  #status: number | undefined
  #headers: TransportHeaders | undefined
  #first: Uint8Array | undefined = undefined
  /** Few answers come in pieces. */
  #more: Array<Uint8Array> | undefined = undefined
  #size = 0

  constructor(
    limits: Limits,
    clock: Clock.Clock,
    context: Context.Context<never>,
    listener: ExchangeListener
  ) {
    this.#limits = limits
    this.#clock = clock
    this.#context = context
    this.#listener = listener
    this.#deadlineAt = readMonotonicMillis(clock) + limits.headersTimeoutMillis
    this.#timerEndsAt = this.#deadlineAt
    this.#timer = startTimer(clock, limits.headersTimeoutMillis, this)
  }

  start(transport: UpstreamTransport, request: TransportRequest): void {
    this.#abort = transport.send(request, this)
  }

  abort(): void {
    this.#abort?.()
    this.#timer.stop()
  }

  onQueued(): void {
    Context.get(this.#context, CurrentConnectionWait)?.onQueued()
    // The time of the provider begins when the request is sent.
    this.#deadlineAt = Number.POSITIVE_INFINITY
  }

  onDequeued(): void {
    Context.get(this.#context, CurrentConnectionWait)?.onDequeued()
    this.#setDeadline(this.#limits.headersTimeoutMillis)
  }

  onResponse(status: number, headers: TransportHeaders): void {
    this.#status = status
    this.#headers = headers
    if (Number(getHeader(headers, "content-length")) > this.#limits.maxUpstreamBodyBytes) {
      return this.#breakOff(this.#toTooLarge())
    }
    this.#setDeadline(this.#limits.bodyTimeoutMillis)
  }

  onData(bytes: Uint8Array): void {
    this.#size += bytes.length
    if (this.#size > this.#limits.maxUpstreamBodyBytes) this.#breakOff(this.#toTooLarge())
    else if (this.#first === undefined) this.#first = bytes
    else (this.#more ??= []).push(bytes)
  }

  onEnd(): void {
    this.#timer.stop()
    this.#listener.onAnswer(this.#status ?? 0, this.#headers ?? {}, this.#decode())
  }

  onFailure(failure: UpstreamFailure): void {
    this.#timer.stop()
    this.#listener.onFailure(failure, this.#status, this.#headers)
  }

  #setDeadline(millis: number): void {
    this.#deadlineAt = readMonotonicMillis(this.#clock) + millis
    // A timer that ends too early starts again then, so most answers need only one.
    if (this.#deadlineAt < this.#timerEndsAt) {
      this.#timer.stop()
      this.onTime()
    }
  }

  onTime(): void {
    const remaining = this.#deadlineAt - readMonotonicMillis(this.#clock)
    if (remaining > 0) {
      this.#timerEndsAt = this.#deadlineAt
      this.#timer = startTimer(this.#clock, remaining, this)
      return
    }
    const phase = this.#status === undefined ? "headers" : "body"
    this.#breakOff(new UpstreamFailure({ kind: "timeout", phase }))
  }

  #breakOff(failure: UpstreamFailure): void {
    this.abort()
    this.#listener.onFailure(failure, this.#status, this.#headers)
  }

  #toTooLarge(): UpstreamFailure {
    const detail = `the answer is larger than ${this.#limits.maxUpstreamBodyBytes} bytes`
    return new UpstreamFailure({ kind: "invalid_answer", detail, status: this.#status ?? 0 })
  }

  #decode(): string {
    const first = this.#first
    if (first === undefined) return ""
    return decoder.decode(
      this.#more === undefined ? first : concatenate([first, ...this.#more], this.#size)
    )
  }
}

const decoder = new TextDecoder()

const concatenate = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
