/** Passes a body to its reader as it arrives, in steps that do not block the event loop, within the timeouts. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { SettingsShape } from "../../instance/Settings.ts"
import type { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { maxSyncBytes } from "../../values/json/JsonCost.ts"
import { yieldToEventLoop } from "../../values/json/yieldToEventLoop.ts"
import { readMonotonicMillis } from "../../values/SteadyTime.ts"
import { type Interruptable, Pending, type PendingRun } from "../../values/Pending.ts"
import { noTimer, startTimer } from "../../values/startTimer.ts"
import { BodyTimedOut } from "../errors/HttpErrors.ts"
import type { BodyReaderError, PieceReader } from "./BodyReader.ts"
import type { BodySink, BodySource } from "./BodySource.ts"

type Received<Body> = Effect.Effect<Body, BodyReaderError | BodyTimedOut>

/** The timeouts of a body. */
export type BodyTimeouts = Pick<
  SettingsShape,
  "requestBodyIdleTimeoutMillis" | "requestBodyTimeoutMillis"
>

/**
 * Receives one body. The request waits once for any number of chunks, unless the body is so large that the event loop has to
 * be yielded to.
 */
export class BodyReceiver<Body>
  extends Pending<Body, BodyReaderError | BodyTimedOut>
  implements BodySink, Interruptable
{
  readonly #source: BodySource
  readonly #reader: PieceReader<Body>
  readonly #brokenOff: InvalidRequest
  readonly #clock: Clock.Clock
  readonly #timeouts: BodyTimeouts
  /** Undefined if it does not wait. */
  #run: PendingRun | undefined
  /** A result that arrived while the wait was being set up. */
  #early: Received<Body> | undefined
  #isBeginning = false
  /** The result, even if chunks before it are still to be read. */
  #last: "end" | "failure" | undefined
  /** The result that nothing precedes. */
  #outcome: Exit.Exit<Body, BodyReaderError | BodyTimedOut> | undefined
  /** Bytes that may be read before yielding. */
  #room = maxSyncBytes
  #chunk: Uint8Array | undefined
  #chunkOffset = 0
  #hasStarted = false
  #timer = noTimer
  #endsAt = 0
  #seenBytes = 0

  /** `brokenOff` is the error of a body whose source fails. */
  constructor(
    source: BodySource,
    reader: PieceReader<Body>,
    brokenOff: InvalidRequest,
    clock: Clock.Clock,
    timeouts: BodyTimeouts
  ) {
    super()
    this.#source = source
    this.#reader = reader
    this.#brokenOff = brokenOff
    this.#clock = clock
    this.#timeouts = timeouts
  }

  /** Waits for the complete body. Fails if no bytes arrive within the idle timeout, or the whole body takes too long. */
  begin(run: PendingRun): Received<Body> | undefined {
    this.#run = run
    this.#early = undefined
    this.#isBeginning = true
    if (this.#hasStarted) this.#source.resume()
    else {
      this.#hasStarted = true
      this.#source.start(this)
      // Otherwise the body has been in memory.
      if (this.#early === undefined) this.#startTimer()
    }
    this.#isBeginning = false
    if (this.#early === undefined) run.onInterrupt(this)
    return this.#early
  }

  interrupt(): void {
    const run = this.#run
    this.#run = undefined
    if (run?.interruption !== undefined) run.resume(run.interruption)
  }

  /** Call it when the request stops waiting: after success, failure or interruption. */
  stop(): void {
    this.#outcome ??= Exit.interrupt()
    this.#timer.stop()
    this.#source.stop()
  }

  push(chunk: Uint8Array): void {
    if (this.#outcome !== undefined) return
    this.#chunk = chunk
    this.#chunkOffset = 0
    if (this.#readChunk()) return
    this.#source.pause()
    this.#continueWith(this.#readRest())
  }

  end(): void {
    this.#finish("end")
  }

  fail(): void {
    this.#finish("failure")
  }

  #finish(last: "end" | "failure"): void {
    this.#last ??= last
    if (this.#chunk === undefined) this.#settle(this.#complete())
  }

  /** Reads the chunk as far as there is room, and returns whether that was all of it. */
  #readChunk(): boolean {
    const chunk = this.#chunk
    if (chunk === undefined) return true
    while (this.#chunkOffset < chunk.length) {
      if (this.#room === 0) return false
      const end = Math.min(chunk.length, this.#chunkOffset + this.#room)
      const isWhole = this.#chunkOffset === 0 && end === chunk.length
      const piece = isWhole ? chunk : chunk.subarray(this.#chunkOffset, end)
      const problem = this.#reader.push(piece)
      if (problem !== undefined) {
        this.#chunk = undefined
        this.#settle(Exit.fail(problem))
        return true
      }
      this.#room -= piece.length
      this.#chunkOffset = end
    }
    this.#chunk = undefined
    return true
  }

  /** Goes on with a chunk in the next turn of the event loop, then waits for the next one. */
  #readRest(): Received<Body> {
    return Effect.flatMap(yieldToEventLoop, () => {
      if (this.#outcome !== undefined) return this.#outcome
      this.#room = maxSyncBytes
      if (!this.#readChunk()) return this.#readRest()
      if (this.#last !== undefined) this.#outcome ??= this.#complete()
      return this.#outcome ?? this
    })
  }

  #complete(): Exit.Exit<Body, BodyReaderError> {
    return this.#last === "failure" ? Exit.fail(this.#brokenOff) : this.#reader.end()
  }

  #settle(outcome: Exit.Exit<Body, BodyReaderError | BodyTimedOut>): void {
    if (this.#outcome !== undefined) return
    this.#outcome = outcome
    this.#continueWith(outcome)
  }

  #continueWith(next: Received<Body>): void {
    const run = this.#run
    this.#run = undefined
    if (this.#isBeginning) this.#early ??= next
    else run?.resume(next)
  }

  #startTimer(): void {
    this.#endsAt = readMonotonicMillis(this.#clock) + this.#timeouts.requestBodyTimeoutMillis
    this.#armTimer(this.#timeouts.requestBodyTimeoutMillis)
  }

  #armTimer(leftMillis: number): void {
    const millis = Math.min(leftMillis, this.#timeouts.requestBodyIdleTimeoutMillis)
    this.#timer = startTimer(this.#clock, millis, this)
  }

  onTime(): void {
    const { requestBodyIdleTimeoutMillis, requestBodyTimeoutMillis } = this.#timeouts
    const { bytes } = this.#reader
    if (bytes === this.#seenBytes) return this.#timeOut(requestBodyIdleTimeoutMillis)
    this.#seenBytes = bytes
    const leftMillis = this.#endsAt - readMonotonicMillis(this.#clock)
    if (leftMillis <= 0) return this.#timeOut(requestBodyTimeoutMillis)
    this.#armTimer(leftMillis)
  }

  #timeOut(timeoutMillis: number): void {
    this.#settle(Exit.fail(new BodyTimedOut({ timeoutMillis })))
  }
}
