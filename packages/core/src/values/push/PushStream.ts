/** A stream whose source calls its reader, so that a value needs no fiber, timer or effect of its own. */
import type * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { isObject } from "../json/guards.ts"

/**
 * Takes values that arrive together, at once. The result is an `Exit` unless the reader is behind; then it is an effect
 * that completes when the reader has caught up. A reader that needs no more returns one that never does, and interrupts
 * the source.
 */
export type Push<in A> = (values: ReadonlyArray<A>) => Effect.Effect<void>

/** Values that their source pushes to one reader. */
export interface PushStream<out A, out E = never, out R = never> {
  /**
   * Passes every value to `push`, in order, and completes after the last one. When `push` returns an effect that is no
   * `Exit`, the source runs it, and pushes nothing until it completes. An interruption stops the source.
   */
  readonly run: (push: Push<A>) => Effect.Effect<void, E, R>
}

export const isPushStream = (value: unknown): value is PushStream<unknown, unknown, unknown> =>
  isObject(value) && typeof value["run"] === "function"

/** Pushes the values of a stream, which may be a push stream already. */
export const fromStream = <A, E, R>(
  source: PushStream<A, E, R> | Stream.Stream<A, E, R>
): PushStream<A, E, R> =>
  Stream.isStream(source) ? { run: (push) => Stream.runForEachArray(source, push) } : source
