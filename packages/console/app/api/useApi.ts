/** Reads an operation for a component, and again on demand or every so often. */
import type { OperationId, OperationResponse } from "@signalbox/core/contract"
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
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
  /** Milliseconds between two reads. A hidden page reads nothing, nor does one with a dialog, whose row might go away. */
  readonly every?: number
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
    options
  )

/** What `load` makes of `key`, for as long as `key` stays the same. */
export const useLoaded = <A>(
  key: string | undefined,
  load: (key: string, signal: AbortSignal) => Promise<A>,
  { every }: LoadOptions = {}
): Loaded<A> => {
  const [state, setState] = useState<{
    readonly key: string | undefined
    readonly data?: A
    readonly readAt?: number
    readonly error?: RequestError
    readonly isLoading: boolean
  }>({ key, isLoading: key !== undefined })
  const latestLoad = useRef(load)
  latestLoad.current = load
  const [round, setRound] = useState(0)
  const reload = useCallback(() => setRound((round) => round + 1), [])

  useEffect(() => {
    if (key === undefined) return setState({ key, isLoading: false })
    const controller = new AbortController()
    setState((state) =>
      state.key === key ? { ...state, isLoading: true } : { key, isLoading: true }
    )
    const read = async (): Promise<void> => {
      try {
        const data = await latestLoad.current(key, controller.signal)
        if (!controller.signal.aborted) {
          setState({ key, data, readAt: Date.now(), isLoading: false })
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
      if (!document.hidden && document.querySelector("dialog[open]") === null) reload()
    }, every)
    return () => clearInterval(timer)
  }, [every, key, reload])

  return {
    data: state.key === key ? state.data : undefined,
    error: state.key === key ? state.error : undefined,
    readAt: state.key === key ? state.readAt : undefined,
    isLoading: state.isLoading,
    reload
  }
}
