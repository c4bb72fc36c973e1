/** Converts a Node readable to a stream that reads only as fast as its consumer. */
import { finished, type Readable } from "node:stream"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"

type Chunks = readonly [Uint8Array, ...Array<Uint8Array>]

/**
 * `destroysWhenDone` cuts a provider's response off once its reader stops. The request of a client stays
 * intact, because its connection carries the response.
 */
export const fromReadable = <E>(
  readable: Readable,
  options: { readonly onError: (cause: unknown) => E; readonly destroysWhenDone: boolean }
): Stream.Stream<Uint8Array, E> =>
  Stream.suspend(() => {
    let end: Exit.Exit<never, E | Cause.Done> | undefined
    let wake: (() => void) | undefined
    const onReadable = () => wake?.()
    readable.on("readable", onReadable)
    const stopWatching = finished(readable, { writable: false }, (error) => {
      end ??= error ? Exit.fail(options.onError(error)) : Exit.fail(Cause.Done())
      wake?.()
    })

    const take = (): Exit.Exit<Chunks, E | Cause.Done> | undefined => {
      const chunk: Uint8Array | null = readable.read()
      if (chunk !== null) return Exit.succeed<Chunks>([chunk])
      return end ?? (readable.readableEnded ? Exit.fail(Cause.Done()) : undefined)
    }
    // Reading and starting to wait are one synchronous step, so that no event is lost between them.
    const pull = Effect.callback<Chunks, E | Cause.Done>((resume) => {
      const taken = take()
      if (taken !== undefined) return resume(taken)
      wake = () => {
        const arrived = take()
        if (arrived === undefined) return
        wake = undefined
        resume(arrived)
      }
      return Effect.sync(() => {
        wake = undefined
      })
    })
    const release = Effect.sync(() => {
      readable.off("readable", onReadable)
      if (!options.destroysWhenDone) return stopWatching()
      // `finished` keeps listening, so that an error of the torn connection is handled.
      if (!readable.destroyed) readable.destroy()
    })
    return Stream.ensuring(Stream.fromPull(Effect.succeed(pull)), release)
  })
