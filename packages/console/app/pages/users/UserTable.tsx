/** The table of users, each with the ways to what they did. */
import type { Series } from "../../charts/fillBuckets.ts"
import { Money } from "../../components/Money.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { formatCount, formatShare, unknown } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { type TimeRange, toRangeLink } from "../../routing/timeRange.ts"

export const UserTable = ({
  by,
  range,
  rows
}: {
  readonly by: "external_user" | "user"
  readonly range: TimeRange
  readonly rows: ReadonlyArray<Series>
}) => {
  const link = ({ value }: Series, query: Readonly<Record<string, string>> = {}) =>
    toHash(["requests"], { ...toRangeLink(range), [by]: value ?? "", ...query })
  const columns: ReadonlyArray<Column<Series>> = [
    { title: "User", cell: (user) => <a href={link(user)}>{user.value}</a> },
    {
      title: "Last active",
      cell: ({ points }) => {
        const last = points.findLast(({ requests }) => requests > 0)
        return last === undefined ? (
          unknown
        ) : (
          <>
            after <Time at={last.at} />
          </>
        )
      }
    },
    { title: "Requests", isNumber: true, cell: ({ totals }) => formatCount(totals.requests) },
    {
      title: "Failed",
      isNumber: true,
      cell: (user) => (
        <a href={link(user, { outcome: "failed" })}>
          {formatShare(user.totals.errors / user.totals.requests)}
        </a>
      )
    },
    { title: "Cost", isNumber: true, cell: ({ totals }) => <Money usd={totals.cost} /> },
    {
      title: "See",
      cell: ({ value }) => (
        <a href={toHash(["sessions"], { range: "7d", [by]: value ?? "" })}>
          Sessions<span class="hidden"> of {value}</span>
        </a>
      )
    }
  ]
  return <Table caption="Users" columns={columns} rows={rows} toKey={({ value }) => value ?? ""} />
}
