/** Reads a list that is paged by cursors, one page after the other. */
import { useEffect, useState } from "preact/hooks"
import { get, type Query, type RequestError, toUrl } from "./request.ts"
import { type Loaded, useLoaded } from "./useApi.ts"

interface CursorPage<Row> {
  readonly data: ReadonlyArray<Row>
  readonly has_more: boolean
  readonly next_cursor?: string
}

export interface Pages<Row> extends Loaded<ReadonlyArray<Row>> {
  /** Reads the next page; undefined after the last one. */
  readonly loadMore: (() => void) | undefined
  readonly isLoadingMore: boolean
}

/** `usePages<Row>("api/v1/signalbox/audit")`, where `Row` is that of the contract. */
export const usePages = <Row>(path: string, query: Query = {}): Pages<Row> => {
  const key = toUrl(path, query)
  const load = (url: string, signal?: AbortSignal) =>
    // Safe: the caller names the row of the operation at this path.
    get(url, {}, signal) as Promise<unknown> as Promise<CursorPage<Row>>
  const first = useLoaded(key, load)
  const [more, setMore] = useState<{
    readonly after: CursorPage<Row> | undefined
    readonly rows: ReadonlyArray<Row>
    readonly cursor: string | undefined
    readonly isLoading: boolean
    readonly error?: RequestError
  }>({ after: undefined, rows: [], cursor: undefined, isLoading: false })

  useEffect(
    () =>
      setMore({ after: first.data, rows: [], cursor: first.data?.next_cursor, isLoading: false }),
    [first.data]
  )

  const { cursor } = more
  const loadMore = () => {
    setMore((more) => ({ ...more, isLoading: true }))
    load(toUrl(path, { ...query, starting_after: cursor })).then(
      (page) =>
        setMore((more) =>
          more.after === first.data && more.cursor === cursor
            ? {
                after: more.after,
                rows: [...more.rows, ...page.data],
                cursor: page.next_cursor,
                isLoading: false
              }
            : more
        ),
      (error: RequestError) => setMore((more) => ({ ...more, error, isLoading: false }))
    )
  }
  const isCurrent = more.after === first.data
  return {
    data:
      first.data === undefined ? undefined : [...first.data.data, ...(isCurrent ? more.rows : [])],
    error: first.error ?? more.error,
    isLoading: first.isLoading,
    reload: first.reload,
    isLoadingMore: more.isLoading,
    loadMore: isCurrent && cursor !== undefined && !more.isLoading ? loadMore : undefined
  }
}
