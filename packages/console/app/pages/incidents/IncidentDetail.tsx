/** One incident: what happened, its endpoints, and the way to its requests. */
import { Badge } from "../../components/Badge.tsx"
import { Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { formatCount } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { toRangeQuery } from "../../routing/timeRange.ts"
import { describeIncident, type Incident } from "./describeIncident.ts"

/** The failures that opened a breaker came before. */
const leadMillis = 60_000

export const IncidentDetail = ({
  incident,
  now
}: {
  readonly incident: Incident
  /** Milliseconds since the epoch. */
  readonly now: number
}) => {
  const { ended_at: end, endpoints, impact, provider_name: name, started_at: start } = incident
  const range = toRangeQuery(Date.parse(start) - leadMillis, end === null ? now : Date.parse(end))
  return (
    <article class="incident">
      <p class="sentence">
        <Badge tone={end === null ? "bad" : "plain"}>{end === null ? "open" : "ended"}</Badge>{" "}
        {describeIncident(incident)}.
      </p>
      <p class="small">
        <a href={toHash(["requests"], { ...range, provider: name })}>Requests tried there</a>
        {" · "}
        <a href={toHash(["requests"], { ...range, provider: name, outcome: "failed" })}>
          without an answer
        </a>
        {impact?.moved_to.map(({ provider, requests }) => (
          <span key={provider}>
            {" · "}
            <a href={toHash(["requests"], { ...range, provider })}>
              {formatCount(requests)} answered by {provider}
            </a>
          </span>
        ))}
      </p>
      <details>
        <summary>
          {formatCount(endpoints.length)} {endpoints.length === 1 ? "endpoint" : "endpoints"}
        </summary>
        <Table
          caption={`Endpoints of ${name} that failed`}
          rows={endpoints}
          toKey={({ endpoint_id: id }) => id}
          columns={[
            {
              title: "Endpoint",
              cell: ({ endpoint_id: id }) => (
                <a href={toHash(["requests"], { ...range, endpoint: id })}>{id}</a>
              )
            },
            { title: "Failing since", cell: ({ started_at: at }) => <Time at={at} /> },
            {
              title: "Until",
              cell: ({ ended_at: at }) =>
                at === null ? <span class="text-bad">now</span> : <Time at={at} />
            },
            { title: "Cause", cell: ({ cause }) => cause },
            {
              title: "Processes",
              isNumber: true,
              cell: ({ processes }) => formatCount(processes.length)
            }
          ]}
        />
      </details>
    </article>
  )
}
