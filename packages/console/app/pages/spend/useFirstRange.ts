/** The range of a page whose address names none. */
import { useState } from "preact/hooks"
import { useApi } from "../../api/useApi.ts"
import { pickRangeSince, type RangeName, toRangeQuery } from "../../routing/timeRange.ts"

const path = "api/v1/signalbox/series"
const day = 86_400_000

/** The shortest range with all requests of the last 30 days, because new figures would be a single bar of a day. Undefined until it is known. */
export const useFirstRange = (query: Readonly<Record<string, string>>): RangeName | undefined => {
  const isGiven = query["range"] !== undefined || query["from"] !== undefined
  // It stays the same while the page is shown.
  const [now] = useState(Date.now)
  const { from, to } = toRangeQuery(now - 30 * day, now)
  const days = useApi<"series.get">(isGiven ? undefined : path, { from, to, interval: "day" })
  const firstDay = days.data?.data.series[0]?.points[0]?.at
  const isNew = firstDay !== undefined && now - Date.parse(firstDay) < 2 * day
  const hours = useApi<"series.get">(isNew ? path : undefined, {
    from: firstDay,
    to,
    interval: "hour"
  })
  if (isGiven || days.error !== undefined || hours.error !== undefined) return "30d"
  const known = isNew ? hours.data : days.data
  if (known === undefined) return undefined
  const first = known.data.series[0]?.points[0]?.at
  return first === undefined ? "30d" : pickRangeSince(Date.parse(first), now)
}
