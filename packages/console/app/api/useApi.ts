/** Reads an operation for a component, and again on demand or every so often. */
import type { OperationId, OperationResponse } from "@signalbox/core/contract"
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { getReads, noteRead } from "./reads.ts"
import { get, type Query, type RequestError, toRequestError, toUrl } from "./request.ts"

export interface Loaded<A> {
  /** What was read last; undefined until then. */
  readonly data: A | undefined
  /** Why the latest read failed. */
  readonly error: RequestError | undefined
  /** When `data` was read, in milliseconds since the epoch. */
  readonly readAt: number | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

export interface LoadOptions {
  /** Milliseconds between two reads. A hidden or paused page reads nothing, nor does one with a dialog, whose row might go away. */
  readonly every?: number | undefined
  /**
   * The name of a range that moves with the time. What was read of its former `from` and `to` stays until there is more, so that
   * a page does not begin anew every minute.
   */
  readonly slides?: string | undefined
}

/** `path` undefined: nothing is read. `useApi<"reports.health">("api/v1/signalbox/health", {}, { every: 5_000 })`. */
export const useApi = <Id extends OperationId>(
  path: string | undefined,
  query: Query = {},
  options: LoadOptions = {}
): Loaded<OperationResponse<Id>> =>
  useLoaded(
    path === undefined ? undefined : toUrl(path, query),
    (url, signal) => get<Id>(url, {}, signal),
    options,
    toSlidingKey(path, query, options)
  )

/** What stays the same while a range moves; undefined where none does. */
export const toSlidingKey = (
  path: string | undefined,
  query: Query,
  { slides }: LoadOptions
): string | undefined =>
  path === undefined || slides === undefined
    ? undefined
    : `${slides} ${toUrl(path, { ...query, from: undefined, to: undefined })}`

/** What `load` makes of `key`, for as long as `key` stays the same. */
export const useLoaded = <A>(
  key: string | undefined,
  load: (key: string, signal: AbortSignal) => Promise<A>,
  { every }: LoadOptions = {},
  slidingKey?: string
): Loaded<A> => {
  const [state, setState] = useState<{
    readonly key: string | undefined
    readonly slidingKey?: string | undefined
    readonly data?: A
    readonly readAt?: number
    readonly error?: RequestError
    readonly isLoading: boolean
  }>({ key, slidingKey, isLoading: key !== undefined })
  const isSame = (one: {
    readonly key: string | undefined
    readonly slidingKey?: string | undefined
  }) => one.key === key || (slidingKey !== undefined && one.slidingKey === slidingKey)
  const latestLoad = useRef(load)
  latestLoad.current = load
  const [round, setRound] = useState(0)
  const reload = useCallback(() => setRound((round) => round + 1), [])

  useEffect(() => {
    if (key === undefined) return setState({ key, isLoading: false })
    const controller = new AbortController()
    setState((state) =>
      isSame(state)
        ? { ...state, key, slidingKey, isLoading: true }
        : { key, slidingKey, isLoading: true }
    )
    const read = async (): Promise<void> => {
      try {
        const data = await latestLoad.current(key, controller.signal)
        if (!controller.signal.aborted) {
          const readAt = Date.now()
          setState({ key, slidingKey, data, readAt, isLoading: false })
          noteRead(readAt)
        }
      } catch (problem) {
        const error = toRequestError(problem)
        if (!controller.signal.aborted) setState((state) => ({ ...state, error, isLoading: false }))
      }
    }
    void read()
    return () => controller.abort()
  }, [key, round])

  useEffect(() => {
    if (every === undefined || key === undefined) return
    const timer = setInterval(() => {
      const isHeld = document.hidden || getReads().isPaused
      if (!isHeld && document.querySelector("dialog[open]") === null) reload()
    }, every)
    return () => clearInterval(timer)
  }, [every, key, reload])

  return {
    ...(isSame(state)
      ? { data: state.data, error: state.error, readAt: state.readAt }
      : { data: undefined, error: undefined, readAt: undefined }),
    isLoading: state.isLoading,
    reload
  }
}
