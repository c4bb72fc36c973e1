/** One request to an upstream and its stream of events, which are pushed from the turn in which their bytes arrive. */
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import type { SettingsShape } from "../../../instance/Settings.ts"
import { evaluate, isExit } from "../../../values/eager.ts"
import { fromCallback } from "../../../values/Pending.ts"
import type { Push } from "../../../values/push/PushStream.ts"
import { startTimer, type Timer } from "../../../values/startTimer.ts"
import * as Step from "../../../values/Step.ts"
import { type FailurePhase, UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { CurrentConnectionWait } from "./sendOnce.ts"
import type { EventDecoder } from "./EventDecoder.ts"
import {
  getHeader,
  type TransportControl,
  type TransportHeaders,
  type TransportListener,
  type TransportRequest,
  type UpstreamTransport
} from "./UpstreamTransport.ts"

interface EventExchangeOptions<A> {
  readonly clock: Clock.Clock
  /** Has what hears of a wait for a connection. */
  readonly context: Context.Context<never>
  readonly decoder: EventDecoder<A>
  readonly push: Push<A>
  readonly settings: Pick<
    SettingsShape,
    "bodyTimeoutMillis" | "headersTimeoutMillis" | "maxUpstreamBodyBytes"
  >
  /** Converts a response that is not a stream of events; its body is empty if it could not be read. */
  readonly toFailure: (status: number, headers: TransportHeaders, body: string) => UpstreamFailure
}

type Resume = (next: Effect.Effect<void, UpstreamFailure>) => void

export class EventExchange<A> implements TransportListener {
  readonly #transport: UpstreamTransport
  readonly #request: TransportRequest
  readonly #options: EventExchangeOptions<A>
  #resume: Resume | undefined
  #abort: (() => void) | undefined
  #timer: Timer | undefined
  #control: TransportControl | undefined
  /** The response, unless it is a stream of events. */
  #other: OtherResponse | undefined
  /** How the exchange ends when the reader has caught up. */
  #outcome: Effect.Effect<void, UpstreamFailure> | undefined
  /** The connection failed while the reader was behind. */
  #torn: UpstreamFailure | undefined
  #isOver = false

  constructor(
    transport: UpstreamTransport,
    request: TransportRequest,
    options: EventExchangeOptions<A>
  ) {
    this.#transport = transport
    this.#request = request
    this.#options = options
  }

  /** Sends the request and reads the response. Can be run once. */
  get run(): Effect.Effect<void, UpstreamFailure> {
    return fromCallback((resume) => {
      this.#resume = resume
      this.#startHeadersTimer()
      this.#abort = this.#transport.send(this.#request, this)
      if (this.#isOver) this.#close()
      return this.#cancel
    })
  }

  onQueued(): void {
    Context.get(this.#options.context, CurrentConnectionWait)?.onQueued()
    // The time of the provider begins when the request is sent.
    this.#timer?.stop()
  }

  onDequeued(): void {
    Context.get(this.#options.context, CurrentConnectionWait)?.onDequeued()
    this.#startHeadersTimer()
  }

  onResponse(status: number, headers: TransportHeaders, control: TransportControl): void {
    this.#timer?.stop()
    this.#control = control
    if (isSuccess(status) && isEventStream(headers)) return
    const { bodyTimeoutMillis, maxUpstreamBodyBytes } = this.#options.settings
    const response = { status, headers, decoder: new TextDecoder(), body: "", size: 0 }
    this.#other = response
    if (Number(getHeader(headers, "content-length")) > maxUpstreamBodyBytes) {
      this.#failWithoutBody(response, this.#toTooLarge(status))
    } else {
      this.#startTimer(bodyTimeoutMillis, () => this.#failWithoutBody(response, toTimeout("body")))
    }
  }

  onData(bytes: Uint8Array): void {
    if (this.#isOver) return
    const other = this.#other
    if (other === undefined) return this.#pushEvents((decoder) => decoder.feed(bytes))
    other.size += bytes.length
    if (other.size > this.#options.settings.maxUpstreamBodyBytes) {
      this.#failWithoutBody(other, this.#toTooLarge(other.status))
    } else other.body += other.decoder.decode(bytes, { stream: true })
  }

  onEnd(): void {
    if (this.#isOver) return
    const other = this.#other
    if (other === undefined) this.#pushEvents((decoder) => decoder.end(), true)
    else {
      this.#failWithStatus(other, other.body + other.decoder.decode())
    }
  }

  onFailure(failure: UpstreamFailure): void {
    if (this.#isOver) return
    const other = this.#other
    if (other !== undefined) this.#failWithoutBody(other, failure)
    else if (this.#control === undefined) this.#fail(failure)
    else if (this.#resume === undefined) this.#torn = failure
    else this.#pushEvents((decoder) => decoder.end(failure), true)
  }

  #pushEvents(decode: (decoder: EventDecoder<A>) => ReadonlyArray<A>, isEnd = false): void {
    const { decoder, push } = this.#options
    const wasDone = decoder.isDone()
    let taken: Effect.Effect<void>
    try {
      const events = decode(decoder)
      taken = events.length === 0 ? Effect.void : push(events)
    } catch (defect) {
      // Readers of events are the code of an upstream.
      return this.#finish(Effect.die(defect))
    }
    // The reader may have given up meanwhile.
    if (this.#isOver) return
    const failure = decoder.failure()
    const outcome = failure !== undefined ? Effect.fail(failure) : isEnd ? Effect.void : undefined
    if (outcome === undefined && decoder.isDone() && !wasDone) this.#startDrain()
    if (!isExit(taken)) this.#wait(taken, outcome)
    else if (Exit.isFailure(taken)) this.#finish(taken)
    else if (outcome !== undefined) this.#finish(outcome)
  }

  /** The rest of the response has usually arrived already; its end makes the connection reusable. */
  #startDrain(): void {
    this.#startTimer(drainMillis, () => this.#finish(Effect.void))
  }

  /** The run goes on with `taken`, and the connection is paused until that completes. */
  #wait(
    taken: Effect.Effect<void>,
    outcome: Effect.Effect<void, UpstreamFailure> | undefined
  ): void {
    const resume = this.#resume
    this.#outcome = outcome
    this.#resume = undefined
    this.#control?.pause()
    const waited = Step.onExit(taken, (exit) => {
      if (Exit.isFailure(exit)) this.#cancel()
      return Effect.void
    })
    resume?.(Step.flatMap(waited, () => this.#goOn))
  }

  readonly #goOn: Effect.Effect<void, UpstreamFailure> = fromCallback((resume) => {
    if (this.#outcome !== undefined) {
      this.#close()
      resume(this.#outcome)
      return constVoid
    }
    this.#resume = resume
    if (this.#torn === undefined) this.#control?.resume()
    else this.onFailure(this.#torn)
    return this.#cancel
  })

  /** The exchange is not awaited any more. */
  readonly #cancel = (): void => {
    this.#isOver = true
    this.#close()
  }

  #close(): void {
    this.#abort?.()
    this.#timer?.stop()
  }

  #finish(outcome: Effect.Effect<void, UpstreamFailure>): void {
    this.#isOver = true
    const resume = this.#resume
    this.#resume = undefined
    if (resume === undefined) {
      this.#outcome ??= outcome
      return
    }
    this.#close()
    resume(outcome)
  }

  #fail(failure: UpstreamFailure): void {
    this.#finish(Effect.fail(failure))
  }

  /** The status is enough when the body of an error cannot be read. */
  #failWithoutBody(other: OtherResponse, failure: UpstreamFailure): void {
    if (isSuccess(other.status)) this.#fail(failure)
    else this.#failWithStatus(other, "")
  }

  /** Readers of failures are the code of an upstream. */
  #failWithStatus({ headers, status }: OtherResponse, body: string): void {
    this.#finish(evaluate(() => Effect.fail(this.#options.toFailure(status, headers, body))))
  }

  #startHeadersTimer(): void {
    this.#startTimer(this.#options.settings.headersTimeoutMillis, () =>
      this.#fail(toTimeout("headers"))
    )
  }

  #startTimer(millis: number, run: () => void): void {
    this.#timer = startTimer(this.#options.clock, millis, run)
  }

  #toTooLarge(status: number): UpstreamFailure {
    const detail = `the answer is larger than ${this.#options.settings.maxUpstreamBodyBytes} bytes`
    return new UpstreamFailure({ kind: "invalid_answer", status, detail })
  }
}

interface OtherResponse {
  readonly status: number
  readonly headers: TransportHeaders
  readonly decoder: TextDecoder
  body: string
  size: number
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299

const isEventStream = (headers: TransportHeaders): boolean =>
  /^\s*text\/event-stream\s*(?:;|$)/i.test(getHeader(headers, "content-type") ?? "")

const toTimeout = (phase: FailurePhase) => new UpstreamFailure({ kind: "timeout", phase })

const drainMillis = 1_000
