/** Reads a list that is paged by cursors or by offsets, one page after the other. */
import { useEffect, useState } from "preact/hooks"
import { get, type Query, type RequestError, toUrl } from "./request.ts"
import { type Loaded, type LoadOptions, useLoaded } from "./useApi.ts"

/** Lists have a cursor, or the number of rows on all pages. */
interface Page<Row> {
  readonly data: ReadonlyArray<Row>
  readonly next_cursor?: string
  readonly total_count?: number
}

export interface Pages<Row> extends Loaded<ReadonlyArray<Row>> {
  /** Reads the next page; undefined after the last one. */
  readonly loadMore: (() => void) | undefined
  readonly isLoadingMore: boolean
}

/** `usePages<Row>("api/v1/signalbox/audit")`, where `Row` is the row type of the contract. */
export const usePages = <Row>(
  path: string,
  query: Query = {},
  options: LoadOptions = {}
): Pages<Row> => {
  const key = toUrl(path, query)
  const load = (url: string, signal?: AbortSignal) =>
    // Safe: the caller names the row of the operation at this path.
    get(url, {}, signal) as Promise<unknown> as Promise<Page<Row>>
  const first = useLoaded(key, load, options)
  const [more, setMore] = useState<{
    readonly after: Page<Row> | undefined
    readonly rows: ReadonlyArray<Row>
    readonly next: Query | undefined
    readonly isLoading: boolean
    readonly error?: RequestError
  }>({ after: undefined, rows: [], next: undefined, isLoading: false })

  useEffect(
    () =>
      setMore({
        after: first.data,
        rows: [],
        next: first.data === undefined ? undefined : findNext(first.data, first.data.data.length),
        isLoading: false
      }),
    [first.data]
  )

  const { next } = more
  const loadMore = () => {
    setMore((more) => ({ ...more, isLoading: true }))
    load(toUrl(path, { ...query, ...next })).then(
      (page) =>
        setMore((more) => {
          if (more.after !== first.data || more.next !== next) return more
          const rows = [...more.rows, ...page.data]
          const loaded = (first.data?.data.length ?? 0) + rows.length
          return { after: more.after, rows, next: findNext(page, loaded), isLoading: false }
        }),
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
    loadMore: isCurrent && next !== undefined && !more.isLoading ? loadMore : undefined
  }
}

/** The parameters of the next page; undefined after the last one. `loaded` rows are known. */
const findNext = <Row>(page: Page<Row>, loaded: number): Query | undefined => {
  if (page.next_cursor !== undefined) return { starting_after: page.next_cursor }
  const isLast = page.data.length === 0 || loaded >= (page.total_count ?? 0)
  return isLast ? undefined : { offset: loaded }
}
