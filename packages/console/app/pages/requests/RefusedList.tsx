/** The latest requests that were refused before they were routed: they have no record, only a status and a reason. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useApi } from "../../api/useApi.ts"
import { type Names, useNames } from "../../api/useNames.ts"
import { Loading } from "../../components/Loading.tsx"
import { Section } from "../../components/Section.tsx"
import { findState, StateFilter } from "../../components/StateFilter.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { unknown } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"

type Refused = OperationResponse<"failedRequests.list">["data"][number]

const statuses = ["400", "401", "402", "403", "404", "429"] as const

export const RefusedList = ({ status: wanted }: { readonly status: string | undefined }) => {
  const names = useNames()
  const status = findState(statuses, wanted)
  const refused = useApi<"failedRequests.list">(
    "api/v1/signalbox/failed-requests",
    { status, limit: 100 },
    { every: 10_000 }
  )
  return (
    <>
      <p>
        <a href={toHash(["requests"])}>Back to the requests that were routed</a>
      </p>
      <Section title="Refused before they were routed">
        <StateFilter label="Status" name="status" states={statuses} value={status} />
        <Loading
          loaded={refused}
          isEmpty={({ data }) => data.length === 0}
          empty={
            status === undefined
              ? "No request was refused before it was routed."
              : `No request was refused with ${status}.`
          }
        >
          {({ data }) => (
            <Table
              caption="Refused requests, the latest first"
              columns={makeColumns(names)}
              rows={data.map((row, at) => ({ ...row, at }))}
              toKey={({ at, request_id: id }) => `${id} ${at}`}
            />
          )}
        </Loading>
      </Section>
    </>
  )
}

const makeColumns = (names: Names): ReadonlyArray<Column<Refused>> => [
  { title: "Time", cell: ({ created_at: at }) => <Time at={at} /> },
  { title: "Status", cell: ({ status }) => <span class="text-bad">{status}</span> },
  { title: "Why", cell: ({ message }) => message },
  { title: "Reason", cell: ({ error_type: type, reason }) => reason ?? type ?? unknown },
  { title: "Operation", cell: ({ method, operation }) => operation ?? `${method}, unknown` },
  {
    title: "Who",
    cell: ({ key_hash: key, user_id: user }) =>
      [user, key === null ? null : names.toKeyName(key)]
        .filter((name) => name !== null)
        .join(", ") || unknown
  },
  { title: "Client", cell: ({ user_agent: agent }) => agent ?? unknown },
  { title: "Request id", cell: ({ request_id: id }) => <code class="id">{id}</code> }
]
