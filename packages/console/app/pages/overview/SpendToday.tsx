/** What the present day has cost, beside the day before up to the same hour. */
import { useApi } from "../../api/useApi.ts"
import { fillBuckets } from "../../charts/fillBuckets.ts"
import { Money } from "../../components/Money.tsx"
import { toHash } from "../../routing/location.ts"
import { toWindowQuery } from "../../routing/windowQuery.ts"
import { describeChange, sumBetween } from "./compareFigures.ts"
import { Figure } from "./Figure.tsx"

const hour = 3_600_000
const day = 24 * hour
const cost = (point: { readonly cost: number }): number => point.cost

export const SpendToday = ({ now }: { readonly now: number }) => {
  const { data: periods } = useApi<"limits.getPeriods">("api/v1/signalbox/limits/periods")
  const began = periods === undefined ? undefined : Date.parse(periods.data.daily.began_at)
  const { data: series } = useApi<"series.get">(
    began === undefined ? undefined : "api/v1/signalbox/series",
    { from: began === undefined ? "" : new Date(began - day).toISOString(), interval: "hour" },
    { every: 15_000 }
  )
  if (began === undefined || series === undefined) return null
  const wholeUntil = Math.floor(now / hour) * hour
  return (
    <Figure
      title="Spent today"
      change={describeChange(
        sumBetween(series.data, cost, began, wholeUntil),
        sumBetween(series.data, cost, began - day, wholeUntil - day)
      )}
      values={fillBuckets(series.data).read(series.data.series[0], cost, 0)}
    >
      <a href={toHash(["spend"], toWindowQuery(new Date(began).toISOString(), now))}>
        <Money usd={sumBetween(series.data, cost, began, Infinity)} />
      </a>
    </Figure>
  )
}
