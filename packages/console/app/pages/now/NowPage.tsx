/** What is happening now: the instance, its traffic of the last hour, and one row per endpoint. */
import { useMemo } from "preact/hooks"
import { useApi } from "../../api/useApi.ts"
import { LatencyChart } from "../../charts/LatencyChart.tsx"
import { OutcomeChart } from "../../charts/OutcomeChart.tsx"
import { Loading } from "../../components/Loading.tsx"
import { Section } from "../../components/Section.tsx"
import { navigate, toHash } from "../../routing/location.ts"
import { parseTimeRange, toRangeQuery } from "../../routing/timeRange.ts"
import { useNow } from "../../routing/useNow.ts"
import { EndpointTable } from "./EndpointTable.tsx"
import { InstanceFigures } from "./InstanceFigures.tsx"
import { toEndpointRows } from "./toEndpointRows.ts"
import { useHealth } from "./useHealth.ts"

export const NowPage = () => {
  const { from, to } = parseTimeRange({}, useNow(30_000), "1h")
  const window = { ...toRangeQuery(from, to), interval: "minute" }
  const health = useHealth()
  const total = useApi<"series.get">("api/v1/signalbox/series", window, { every: 15_000 })
  const byEndpoint = useApi<"series.get">(
    "api/v1/signalbox/series",
    { ...window, group_by: "endpoint", limit: 200 },
    { every: 15_000 }
  )
  const rows = useMemo(
    () => toEndpointRows(health.data?.endpoints ?? {}, byEndpoint.data?.data),
    [health.data, byEndpoint.data]
  )
  const showRequests = (from: number, to: number) =>
    navigate(toHash(["requests"], toRangeQuery(from, to)))
  return (
    <>
      {/* Only the host's own account sees the health of the instance. */}
      {health.error?.status !== 403 && (
        <Loading loaded={health}>{(report) => <InstanceFigures report={report} />}</Loading>
      )}
      <Section title="The last hour">
        <Loading loaded={total}>
          {({ data }) => (
            <div class="charts">
              <OutcomeChart title="Requests a minute" data={data} onSelect={showRequests} />
              <LatencyChart data={data} onSelect={showRequests} />
            </div>
          )}
        </Loading>
      </Section>
      <Section title="Endpoints">
        <Loading
          loaded={byEndpoint}
          isEmpty={() => rows.length === 0}
          empty="No endpoint has been tried yet. Send a request, and the endpoints that are tried appear here."
        >
          {() => <EndpointTable rows={rows} now={health.data?.at ?? to} />}
        </Loading>
      </Section>
    </>
  )
}
