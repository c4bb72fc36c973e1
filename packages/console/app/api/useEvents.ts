/** Follows an operation that answers with server-sent events. */
import { useEffect, useRef, useState } from "preact/hooks"
import { followReads, getReads, noteRead } from "./reads.ts"
import { get, RequestError, toRequestError } from "./request.ts"

export interface Followed<State> {
  /** What the events add up to; undefined before the first one. */
  readonly data: State | undefined
  /** When the latest event came, in milliseconds since the epoch. */
  readonly readAt: number | undefined
  /** Why there are no events. */
  readonly error: RequestError | undefined
  readonly reload: () => void
}

/**
 * `fold` adds the data of an event to the state. A hidden or paused page follows nothing, and begins anew when it goes on. When the stream is
 * refused, `probe` is read once, because only its answer says why.
 */
export const useEvents = <State>(
  path: string,
  probe: string,
  fold: (state: State | undefined, event: string) => State
): Followed<State> => {
  const [data, setData] = useState<State | undefined>(undefined)
  const [readAt, setReadAt] = useState<number | undefined>(undefined)
  const [error, setError] = useState<RequestError | undefined>(undefined)
  const [round, setRound] = useState(0)
  const latestFold = useRef(fold)
  latestFold.current = fold

  useEffect(() => {
    let source: EventSource | undefined
    let state: State | undefined
    const close = () => {
      source?.close()
      source = undefined
    }
    const explain = async () => {
      try {
        await get(probe)
        // It works now.
        setRound((round) => round + 1)
      } catch (problem) {
        setError(toRequestError(problem))
      }
    }
    const open = () => {
      close()
      state = undefined
      const opened = new EventSource(path)
      source = opened
      opened.addEventListener("message", ({ data }: MessageEvent<string>) => {
        state = latestFold.current(state, data)
        setData(state)
        const at = Date.now()
        setReadAt(at)
        noteRead(at)
        setError(undefined)
      })
      opened.addEventListener("open", () => (state = undefined))
      opened.addEventListener("error", () => {
        if (source !== opened) return
        if (opened.readyState === EventSource.CLOSED) void explain()
        // The browser connects again by itself.
        else setError(new RequestError(0, "The server does not answer."))
      })
    }
    const isWanted = () => !document.hidden && !getReads().isPaused
    let isFollowing = false
    const follow = () => {
      if (isFollowing === isWanted()) return
      isFollowing = !isFollowing
      if (isFollowing) open()
      else close()
    }
    follow()
    document.addEventListener("visibilitychange", follow)
    const unfollow = followReads(follow)
    return () => {
      unfollow()
      document.removeEventListener("visibilitychange", follow)
      close()
    }
  }, [path, probe, round])

  return { data, error, readAt, reload: () => setRound((round) => round + 1) }
}
