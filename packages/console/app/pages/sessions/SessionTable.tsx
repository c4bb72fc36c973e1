/** The table of sessions. */
import { Money } from "../../components/Money.tsx"
import { Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { formatCount, formatSpan, unknown } from "../../format/format.ts"
import { navigate, toHash } from "../../routing/location.ts"
import { joinNames, pickUsers, type SessionSummary, toDuration } from "./describeSession.ts"

export const SessionTable = ({
  query,
  rows
}: {
  readonly rows: ReadonlyArray<SessionSummary>
  /** Filters and the time of the list, which the requests of a session keep. */
  readonly query: Readonly<Record<string, string | undefined>>
}) => {
  const toRequests = ({ id, workspace_id }: SessionSummary): string =>
    toHash(["requests"], { ...query, workspace_id, session_id: id })
  return (
    <Table
      caption="Sessions"
      rows={rows}
      toKey={({ id, workspace_id: workspace }) => `${workspace} ${id}`}
      onOpen={(session) => navigate(toRequests(session))}
      columns={[
        {
          title: "Session",
          cell: (session) => (
            <a href={toRequests(session)}>
              <bdi>{session.id}</bdi>
            </a>
          )
        },
        { title: "Latest request", cell: ({ last_request_at: at }) => <Time at={at} /> },
        {
          title: "Lasted",
          isNumber: true,
          cell: (session) => (session.requests === 1 ? unknown : formatSpan(toDuration(session)))
        },
        { title: "Requests", isNumber: true, cell: ({ requests }) => formatCount(requests) },
        {
          title: "Failed",
          isNumber: true,
          cell: ({ failed_requests: failed }) =>
            failed === 0 ? "0" : <span class="text-bad">{formatCount(failed)}</span>
        },
        {
          title: "Models",
          cell: ({ model_count: count, models }) => <bdi>{joinNames(models, count)}</bdi>
        },
        {
          title: "Users",
          cell: (session) => {
            const users = joinNames(...pickUsers(session))
            return users === "" ? unknown : <bdi>{users}</bdi>
          }
        },
        { title: "Tokens", isNumber: true, cell: ({ tokens }) => formatCount(tokens) },
        { title: "Cost", isNumber: true, cell: ({ cost }) => <Money usd={cost} /> }
      ]}
    />
  )
}
