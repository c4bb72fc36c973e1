/** Who and what cost most in the time, with the change from the time before. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useApi } from "../../api/useApi.ts"
import { type Names, useNames } from "../../api/useNames.ts"
import { fillBuckets, type Series } from "../../charts/fillBuckets.ts"
import { Sparkline } from "../../charts/Sparkline.tsx"
import { Loading } from "../../components/Loading.tsx"
import { Money } from "../../components/Money.tsx"
import { Section } from "../../components/Section.tsx"
import { Table } from "../../components/Table.tsx"
import { formatCount, formatShare } from "../../format/format.ts"
import { setQuery, toHash } from "../../routing/location.ts"
import { type TimeRange, toRangeLink } from "../../routing/timeRange.ts"
import type { Periods } from "./toPeriods.ts"

const maxShown = 5

/** Each spender has a line, so a week of hours would be an answer of half a megabyte. The server begins with whole days then. */
const maxHoursMillis = 172_800_000

/** What may spend: the dimension of the series, and the filter that finds its requests. */
const spenders = [
  { name: "key", title: "Keys", filter: "key_hash" },
  { name: "user", title: "Users", filter: "user" },
  { name: "external_user", title: "External users", filter: "external_user" },
  { name: "model", title: "Models", filter: "model" }
] as const
type Spender = (typeof spenders)[number]

export const TopSpenders = ({
  periods,
  query,
  range
}: {
  readonly periods: Periods
  readonly query: Readonly<Record<string, string>>
  readonly range: TimeRange
}) => {
  const spender = spenders.find(({ name }) => name === query["by"]) ?? spenders[0]
  const names = useNames()
  const series = useApi<"series.get">(
    "api/v1/signalbox/series",
    {
      from: new Date(periods.from).toISOString(),
      to: new Date(periods.to).toISOString(),
      interval: periods.to - periods.from > maxHoursMillis ? "day" : periods.interval,
      group_by: spender.name,
      limit: maxShown
    },
    { every: 60_000, slides: range.name }
  )
  return (
    <Section
      title="Top spenders"
      aside={<a href={toHash(["spend"], { ...toRangeLink(range), by: spender.name })}>Spend</a>}
    >
      <div class="controls" role="group" aria-label="Top spenders by">
        {spenders.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === spender.name}
            onClick={() => setQuery({ by: name })}
          >
            {title}
          </button>
        ))}
      </div>
      <Loading
        loaded={series}
        isEmpty={({ data }: OperationResponse<"series.get">) => data.series.length === 0}
        empty="Nothing was requested in this time."
      >
        {({ data }) => (
          <>
            {data.interval === "day" && (
              <p class="muted small">In whole days, which begin at midnight UTC.</p>
            )}
            <Table
              caption={`${spender.title} by cost`}
              rows={rank(data.series)}
              toKey={({ value }) => value ?? ""}
              columns={[
                {
                  title: spender.title,
                  cell: ({ value }) => <Name of={value} names={names} range={range} by={spender} />
                },
                {
                  title: "Cost",
                  isNumber: true,
                  cell: (each) => (
                    <span class="with-line">
                      <Money usd={each.totals.cost} />
                      <Sparkline
                        label="Cost over time"
                        values={fillBuckets(data).read(each, ({ cost }) => cost, 0)}
                      />
                    </span>
                  )
                },
                {
                  title: "Share",
                  isNumber: true,
                  cell: ({ totals }) => formatShare(totals.cost / sumCosts(data.series))
                },
                {
                  title: "Requests",
                  isNumber: true,
                  cell: ({ totals }) => formatCount(totals.requests)
                },
                {
                  title: "Failed",
                  isNumber: true,
                  cell: ({ totals }) => formatShare(totals.errors / totals.requests)
                }
              ]}
            />
          </>
        )}
      </Loading>
    </Section>
  )
}

/** The API ranks them by requests, too. */
const rank = (series: ReadonlyArray<Series>): ReadonlyArray<Series> =>
  series
    .filter(({ is_other: isOther }) => !isOther)
    .toSorted((one, other) => other.totals.cost - one.totals.cost)
    .slice(0, maxShown)

const sumCosts = (series: ReadonlyArray<Series>): number =>
  series.reduce((sum, { totals }) => sum + totals.cost, 0)

const Name = ({
  by,
  names,
  of: value,
  range
}: {
  readonly of: string | null
  readonly by: Spender
  readonly names: Names
  readonly range: TimeRange
}) =>
  value === null ? (
    <span class="muted">without</span>
  ) : (
    <a href={toHash(["requests"], { ...toRangeLink(range), [by.filter]: value })}>
      {by.name === "key" ? names.toKeyName(value) : value}
    </a>
  )
