/** Waits until a client has taken what was written to its connection, and closes the connection of one that takes nothing. */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { fromCallback } from "@signalbox/core/adapter"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"

/**
 * Completes when the buffer of `target`, the response or its connection, is empty. A client that takes nothing for
 * `timeoutMillis` loses the response: closing it interrupts the request.
 */
export const awaitReader = (
  to: ServerResponse,
  target: ServerResponse | Socket,
  timeoutMillis: number
): Effect.Effect<void> =>
  fromCallback((resume) => {
    if (!target.writableNeedDrain) {
      resume(Effect.void)
      return constVoid
    }
    const stopWatching = destroyUnread(to, timeoutMillis)
    const drained = () => {
      stopWatching()
      resume(Effect.void)
    }
    target.once("drain", drained)
    return () => {
      stopWatching()
      target.off("drain", drained)
    }
  })

/**
 * Destroys a response if no byte of it leaves the process for `timeoutMillis`. Returns a function that stops
 * watching.
 */
export const destroyUnread = (to: ServerResponse, timeoutMillis: number): (() => void) => {
  let queued = countQueuedBytes(to)
  let idleChecks = 0
  const timer = setInterval(
    () => {
      const now = countQueuedBytes(to)
      idleChecks = now === queued ? idleChecks + 1 : 0
      queued = now
      if (idleChecks <= checks) return
      stop()
      to.destroy()
    },
    Math.ceil(timeoutMillis / checks)
  )
  timer.unref()
  const stop = (): void => {
    clearInterval(timer)
    to.off("close", stop)
  }
  to.once("close", stop)
  return stop
}

/** One check more than the timeout has, because the core ends its own streams first and records why. */
const checks = 4

/** The part of a socket that knows what the kernel has not taken, which Node uses for its own timeouts. */
interface Internals {
  readonly _handle?: { readonly writeQueueSize?: number } | null
}

/** A chunk counts as written when all of it is, so only the queue tells progress within a large one. */
const countQueuedBytes = ({ socket, writableLength }: ServerResponse): number => {
  if (socket === null) return writableLength
  const { _handle: handle } = socket as unknown as Internals
  return writableLength + socket.writableLength + (handle?.writeQueueSize ?? 0)
}
