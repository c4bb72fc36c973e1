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

/** The reader reads `values` or `pushed`, once. */
export interface ReadAheadBuffer<A, E> {
  /** Takes the values at once; waits while those before the last one fill the buffer. */
  readonly push: Push<A>
  /** Ends the values; do not push after it. */
  readonly end: (exit: Exit.Exit<void, E>) => void
  /** Pulls the buffered values. */
  readonly values: Stream.Stream<A, E>
  /** Values are buffered until it runs; from then on they go to its reader directly. */
  readonly pushed: PushStream<A, E>
}

export const makeReadAheadBuffer = <A, E = never>(): ReadAheadBuffer<A, E> => {
  let buffered: Array<A> = []
  let remaining = capacity
  /** A value may exceed the remaining size, because one larger than the whole buffer would wait for ever. */
  let lastWeight = 0
  let outcome: Exit.Exit<void, E> | undefined
  /** Takes values while nothing is buffered. */
  let reader: Push<A> | undefined
  let wakeReader: (() => void) | undefined
  let wakeSource: (() => void) | undefined

  const hasRoom = (): boolean => remaining + lastWeight > 0
  const awaitRoom: Effect.Effect<void> = fromCallback((resume) => {
    if (hasRoom()) resume(Effect.void)
    else wakeSource = () => resume(Effect.void)
    return constVoid
  })
  const take = (): ReadonlyArray<A> => {
    const values = buffered
    const wake = wakeSource
    // The one that did not fit stays.
    buffered = hasRoom() ? [] : values.splice(-1)
    lastWeight = buffered.length === 0 ? 0 : lastWeight
    remaining = capacity - lastWeight
    wakeSource = undefined
    wake?.()
    return values
  }
  const notifyReader = (): void => {
    const wake = wakeReader
    wakeReader = undefined
    wake?.()
  }
  const awaitValues: Effect.Effect<void> = Effect.callback((resume) => {
    wakeReader = () => resume(Effect.void)
  })
  const pull: Pull.Pull<Arr.NonEmptyReadonlyArray<A>, E> = Effect.suspend(() => {
    const values = buffered.length === 0 ? buffered : take()
    if (Arr.isReadonlyArrayNonEmpty(values)) return Effect.succeed(values)
    if (outcome === undefined) return Effect.flatMap(awaitValues, () => pull)
    return Exit.isSuccess(outcome) ? Cause.done() : Exit.failCause(outcome.cause)
  })

  return {
    push: (values) => {
      if (reader !== undefined) return reader(values)
      for (const value of values) {
        buffered.push(value)
        lastWeight = Math.max(estimateSize(value), minWeight)
        remaining -= lastWeight
      }
      if (values.length > 0) notifyReader()
      return hasRoom() ? Effect.void : awaitRoom
    },
    end: (exit) => {
      outcome = exit
      notifyReader()
    },
    values: Stream.suspend(() => Stream.fromPull(Effect.succeed(pull))),
    pushed: {
      run: (push) => {
        const forward = (): Effect.Effect<void, E> => {
          if (buffered.length > 0) return Step.flatMap(push(take()), forward)
          return outcome ?? Step.flatMap(attached, forward)
        }
        const attached: Effect.Effect<void> = fromCallback((resume) => {
          /** The reader ends, and the source waits until the reader has stopped it. */
          const stop = (cause: Cause.Cause<never>): Effect.Effect<never> => {
            reader = undefined
            resume(Exit.failCause(cause))
            return Effect.never
          }
          reader = (values) => {
            let taken
            try {
              taken = push(values)
            } catch (defect) {
              return stop(Cause.die(defect))
            }
            if (!isExit(taken)) return catchCause(taken, stop)
            return Exit.isSuccess(taken) ? taken : stop(taken.cause)
          }
          wakeReader = () => {
            reader = undefined
            resume(Effect.void)
          }
          return () => {
            reader = undefined
          }
        })
        return withContext(forward)
      }
    }
  }
}

const catchCause = (
  taken: Effect.Effect<void>,
  onFailure: (cause: Cause.Cause<never>) => Effect.Effect<never>
): Effect.Effect<void> => Step.matchCause(taken, { onSuccess: () => Effect.void, onFailure })

/** The minimum number of characters that a value counts for: 64 values are 256 KiB. */
const minWeight = 4_096

const capacity = 64 * minWeight
