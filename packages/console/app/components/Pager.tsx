/** Leads through the pages of a list that is sorted and counted by the server. The offset is in the address. */
import { formatCount } from "../format/format.ts"
import { setQuery } from "../routing/location.ts"

export const Pager = ({
  limit,
  offset,
  total
}: {
  readonly limit: number
  readonly offset: number
  readonly total: number
}) =>
  total <= limit && offset === 0 ? null : (
    <p class="more">
      <button type="button" disabled={offset === 0} onClick={() => goTo(offset - limit)}>
        Previous
      </button>{" "}
      <button type="button" disabled={offset + limit >= total} onClick={() => goTo(offset + limit)}>
        Next
      </button>{" "}
      <span class="muted">
        {formatCount(Math.min(offset + 1, total))} to {formatCount(Math.min(offset + limit, total))}
      </span>
    </p>
  )

const goTo = (offset: number): void => setQuery({ offset: offset > 0 ? String(offset) : undefined })
