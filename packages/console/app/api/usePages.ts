/** Reads a list that is paged by cursors or by offsets, one page after the other. */
import { useRef } from "preact/hooks"
import { get, type Query, toUrl } from "./request.ts"
import { type Loaded, type LoadOptions, toSlidingKey, useLoaded } from "./useApi.ts"

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

/** The pages that are loaded. */
interface LoadedPages<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly count: number
  readonly next: Query | undefined
}

/** `usePages<Row>("api/v1/signalbox/audit")`, where `Row` is the row type of the contract. Reading again reads as many pages. */
export const usePages = <Row>(
  path: string,
  query: Query = {},
  options: LoadOptions = {}
): Pages<Row> => {
  const key = toUrl(path, query)
  const slidingKey = toSlidingKey(path, query, options)
  const wanted = useRef<{
    readonly key: string
    readonly slidingKey: string | undefined
    count: number
    after?: LoadedPages<Row>
  }>({ key, slidingKey, count: 1 })
  if (wanted.current.key !== key) {
    const isSame = slidingKey !== undefined && wanted.current.slidingKey === slidingKey
    wanted.current = { key, slidingKey, count: isSame ? wanted.current.count : 1 }
  }

  const load = async (_: string, signal: AbortSignal): Promise<LoadedPages<Row>> => {
    const { after, count } = wanted.current
    delete wanted.current.after
    let pages = after ?? { rows: [], count: 0, next: {} }
    while (pages.count < count && pages.next !== undefined) {
      // Safe: the caller names the row of the operation at this path.
      const page = (await get(
        toUrl(path, { ...query, ...pages.next }),
        {},
        signal
      )) as unknown as Page<Row>
      const rows = [...pages.rows, ...page.data]
      pages = { rows, count: pages.count + 1, next: findNext(page, rows.length) }
    }
    return pages
  }
  const { data, ...loaded } = useLoaded(key, load, options, slidingKey)
  const loadMore = () => {
    if (data === undefined) return
    wanted.current = { key, slidingKey, count: data.count + 1, after: data }
    loaded.reload()
  }
  const isLoadingMore = loaded.isLoading && data !== undefined && wanted.current.count > data.count
  return {
    ...loaded,
    data: data?.rows,
    isLoadingMore,
    loadMore: data?.next !== undefined && !isLoadingMore ? loadMore : undefined
  }
}

/** The parameters of the next page; undefined after the last one. `loaded` rows are known. */
const findNext = <Row>(page: Page<Row>, loaded: number): Query | undefined => {
  if (page.next_cursor !== undefined) return { starting_after: page.next_cursor }
  const isLast = page.data.length === 0 || loaded >= (page.total_count ?? 0)
  return isLast ? undefined : { offset: loaded }
}
