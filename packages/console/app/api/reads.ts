/** When the page last read something, and whether it goes on by itself. */
import { useEffect, useState } from "preact/hooks"

export interface Reads {
  /** Milliseconds since the epoch; undefined before the first one. */
  readonly readAt: number | undefined
  /** Whether nothing is read until the viewer asks for it. */
  readonly isPaused: boolean
}

let current: Reads = { readAt: undefined, isPaused: false }

const listeners = new Set<() => void>()

const change = (next: Partial<Reads>): void => {
  current = { ...current, ...next }
  for (const notify of listeners) notify()
}

export const getReads = (): Reads => current

export const noteRead = (at: number): void => change({ readAt: at })

export const setPaused = (isPaused: boolean): void => change({ isPaused })

/** Calls `run` after each change, until the returned function is called. */
export const followReads = (run: () => void): (() => void) => {
  listeners.add(run)
  return () => listeners.delete(run)
}

/** What `pick` takes of them; a component is drawn again when that changes. */
export const useReads = <A>(pick: (reads: Reads) => A): A => {
  const [picked, setPicked] = useState(() => pick(current))
  useEffect(() => {
    const update = () => setPicked(() => pick(current))
    update()
    return followReads(update)
  }, [])
  return picked
}
