/** A buffer between a source and its reader, bounded in values and in size. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import type * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"
import { estimateSize } from "../json/JsonCost.ts"
import { isExit } from "../eager.ts"
import { fromCallback, withContext } from "../Pending.ts"
import * as Step from "../Step.ts"
import type { Push, PushStream } from "./PushStream.ts"

/** The reader reads `values` or `pushed`, once. A class, because every open stream has one. */
export class ReadAheadBuffer<A, E = never> {
  #buffered: Array<A> = []
  #remaining = capacity
  /** A value may exceed the remaining size, because one larger than the whole buffer would wait for ever. */
  #lastWeight = 0
  #outcome: Exit.Exit<void, E> | undefined
  /** Takes values while nothing is buffered. */
  #reader: Push<A> | undefined
  #wakeReader: (() => void) | undefined
  #wakeSource: (() => void) | undefined

  /** Takes the values at once; waits while those before the last one fill the buffer. */
  push(values: ReadonlyArray<A>): Effect.Effect<void> {
    if (this.#reader !== undefined) return this.#reader(values)
    for (const value of values) {
      this.#buffered.push(value)
      this.#lastWeight = Math.max(estimateSize(value), minWeight)
      this.#remaining -= this.#lastWeight
    }
    if (values.length > 0) this.#notifyReader()
    return this.#hasRoom() ? Effect.void : this.#awaitRoom()
  }

  /** Ends the values; do not push after it. */
  end(exit: Exit.Exit<void, E>): void {
    this.#outcome = exit
    this.#notifyReader()
  }

  /** Pulls the buffered values. */
  get values(): Stream.Stream<A, E> {
    return Stream.suspend(() => Stream.fromPull(Effect.succeed(this.#pull())))
  }

  /** Values are buffered until it runs; from then on they go to its reader directly. */
  get pushed(): PushStream<A, E> {
    return { run: (push) => withContext(() => this.#forward(push)) }
  }

  #hasRoom(): boolean {
    return this.#remaining + this.#lastWeight > 0
  }

  #awaitRoom(): Effect.Effect<void> {
    return fromCallback((resume) => {
      if (this.#hasRoom()) resume(Effect.void)
      else this.#wakeSource = () => resume(Effect.void)
      return constVoid
    })
  }

  #take(): ReadonlyArray<A> {
    const values = this.#buffered
    const wake = this.#wakeSource
    // The one that did not fit stays.
    this.#buffered = this.#hasRoom() ? [] : values.splice(-1)
    this.#lastWeight = this.#buffered.length === 0 ? 0 : this.#lastWeight
    this.#remaining = capacity - this.#lastWeight
    this.#wakeSource = undefined
    wake?.()
    return values
  }

  #notifyReader(): void {
    const wake = this.#wakeReader
    this.#wakeReader = undefined
    wake?.()
  }

  #awaitValues(): Effect.Effect<void> {
    return Effect.callback((resume) => {
      this.#wakeReader = () => resume(Effect.void)
    })
  }

  #pull(): Pull.Pull<Arr.NonEmptyReadonlyArray<A>, E> {
    return Effect.suspend(() => {
      const values = this.#buffered.length === 0 ? this.#buffered : this.#take()
      if (Arr.isReadonlyArrayNonEmpty(values)) return Effect.succeed(values)
      const outcome = this.#outcome
      if (outcome === undefined) return Effect.flatMap(this.#awaitValues(), () => this.#pull())
      return Exit.isSuccess(outcome) ? Cause.done() : Exit.failCause(outcome.cause)
    })
  }

  #forward(push: Push<A>): Effect.Effect<void, E> {
    const forward = () => this.#forward(push)
    if (this.#buffered.length > 0) return Step.flatMap(push(this.#take()), forward)
    return this.#outcome ?? Step.flatMap(this.#attach(push), forward)
  }

  /** Lets values go to `push` directly, until the source ends. */
  #attach(push: Push<A>): Effect.Effect<void> {
    return fromCallback((resume) => {
      /** The reader ends, and the source waits until the reader has stopped it. */
      const stop = (cause: Cause.Cause<never>): Effect.Effect<never> => {
        this.#reader = undefined
        resume(Exit.failCause(cause))
        return Effect.never
      }
      this.#reader = (values) => {
        let taken
        try {
          taken = push(values)
        } catch (defect) {
          return stop(Cause.die(defect))
        }
        if (!isExit(taken)) return catchCause(taken, stop)
        return Exit.isSuccess(taken) ? taken : stop(taken.cause)
      }
      this.#wakeReader = () => {
        this.#reader = undefined
        resume(Effect.void)
      }
      return () => {
        this.#reader = undefined
      }
    })
  }
}

const catchCause = (
  taken: Effect.Effect<void>,
  onFailure: (cause: Cause.Cause<never>) => Effect.Effect<never>
): Effect.Effect<void> => Step.matchCause(taken, { onSuccess: () => Effect.void, onFailure })

/** The minimum number of characters that a value counts for: 64 values are 256 KiB. */
const minWeight = 4_096

const capacity = 64 * minWeight
