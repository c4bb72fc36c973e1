/** Users: who asked how much, what of it failed and what it cost, and when they were last here. */
import { useApi } from "../../api/useApi.ts"
import { Field } from "../../components/Field.tsx"
import { Loading } from "../../components/Loading.tsx"
import { RangePicker } from "../../components/RangePicker.tsx"
import { Section } from "../../components/Section.tsx"
import { findState, StateFilter } from "../../components/StateFilter.tsx"
import { formatCount } from "../../format/format.ts"
import { setQuery } from "../../routing/location.ts"
import { toRangeQuery } from "../../routing/timeRange.ts"
import { useRange } from "../../routing/useRange.ts"
import type { PageProps } from "../../shell/Page.ts"
import { UserTable } from "./UserTable.tsx"

/** The API has as many series at most. */
const maxUsers = 200

export const UsersPage = ({ location: { query } }: PageProps) => {
  const range = useRange(query, "30d")
  const isExternal = findState(["external_user"], query["kind"]) !== undefined
  const by = isExternal ? "external_user" : "user"
  const { search = "" } = query
  const { from, to } = toRangeQuery(range.from, range.to)
  const series = useApi<"series.get">(
    "api/v1/signalbox/series",
    { from, to, group_by: by, limit: maxUsers },
    { slides: range.name }
  )
  return (
    <Section title="Users by their cost" aside={<RangePicker range={range} />}>
      <StateFilter
        label="Users"
        name="kind"
        all="users"
        states={["external_user"] as const}
        value={isExternal ? "external_user" : undefined}
        toLabel={() => "external users"}
      />
      <div class="controls" role="search">
        <Field label="Find users">
          <input
            type="search"
            value={search}
            onInput={({ currentTarget: { value } }) => setQuery({ search: value })}
          />
        </Field>
      </div>
      <Loading
        loaded={series}
        isEmpty={({ data }) => data.series.every(({ value }) => value === null)}
        empty={
          isExternal
            ? "No request of this time named an external user. Clients name one as user in the body of a request."
            : "No request of this time had a user. Keys of members have one, and so does what authenticate returns."
        }
      >
        {({ data }) => (
          <>
            <UserTable
              by={by}
              range={range}
              rows={data.series.filter(
                ({ value }) => value?.toLowerCase().includes(search.trim().toLowerCase()) === true
              )}
            />
            {data.series.some((each) => each.is_other) && (
              <p class="muted small">
                Only the {formatCount(maxUsers)} of the highest cost are listed.
              </p>
            )}
          </>
        )}
      </Loading>
    </Section>
  )
}
