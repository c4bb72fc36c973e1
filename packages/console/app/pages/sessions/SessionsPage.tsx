/** Sessions: what the requests with one `session_id` came to; each leads to its requests. */
import { usePages } from "../../api/usePages.ts"
import { Loading } from "../../components/Loading.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { RangePicker } from "../../components/RangePicker.tsx"
import { Section } from "../../components/Section.tsx"
import { toHash } from "../../routing/location.ts"
import { toRangeLink, toRangeQuery } from "../../routing/timeRange.ts"
import { useRange } from "../../routing/useRange.ts"
import type { PageProps } from "../../shell/Page.ts"
import type { SessionSummary } from "./describeSession.ts"
import { SessionTable } from "./SessionTable.tsx"

const filterNames = ["workspace_id", "key_hash", "user", "external_user", "model"]

export const SessionsPage = ({ location: { query } }: PageProps) => {
  const range = useRange(query, "24h")
  const { from, to } = toRangeQuery(range.from, range.to)
  const filters = Object.fromEntries(filterNames.map((name) => [name, query[name]]))
  const sessions = usePages<SessionSummary>("api/v1/signalbox/sessions", {
    ...filters,
    from,
    to,
    limit: 50
  })
  const values = Object.values(filters).filter((value) => value !== undefined)
  return (
    <Section
      title="Sessions by their latest request"
      aside={<RangePicker range={range} names={["1h", "6h", "24h", "7d"]} />}
    >
      {values.length > 0 && (
        <p class="small">
          Only requests of <bdi>{values.join(", ")}</bdi>.{" "}
          <a href={toHash(["sessions"], toRangeLink(range))}>Show all</a>
        </p>
      )}
      <Loading
        loaded={sessions}
        isEmpty={(rows) => rows.length === 0}
        empty={
          <>
            No request of this time had a session. Send <code>session_id</code> with each request of
            a conversation or a task, and its requests are summed up here.
          </>
        }
      >
        {(rows) => (
          <>
            <SessionTable rows={rows} query={{ ...filters, ...toRangeLink(range) }} />
            <LoadMore pages={sessions} />
          </>
        )}
      </Loading>
    </Section>
  )
}
