/** What is happening now: the instance, the traffic of the last hour, and one row per endpoint. */
import { useApi } from "../../api/useApi.ts"
import { LatencyChart } from "../../charts/LatencyChart.tsx"
import { OutcomeChart } from "../../charts/OutcomeChart.tsx"
import { Loading } from "../../components/Loading.tsx"
import { MarkedCharts } from "../../components/MarkedCharts.tsx"
import { Section } from "../../components/Section.tsx"
import { navigate, toHash } from "../../routing/location.ts"
import { toRangeQuery } from "../../routing/timeRange.ts"
import { useRange } from "../../routing/useRange.ts"
import type { PageProps } from "../../shell/Page.ts"
import { EndpointTable } from "./EndpointTable.tsx"
import { InstanceFigures } from "./InstanceFigures.tsx"
import { LiveEndpoints } from "./LiveEndpoints.tsx"
import { fromSeries } from "./toEndpointRows.ts"

/** Opens the requests of the time that the viewer has selected in a chart. */
const showRequests = (from: number, to: number): void =>
  navigate(toHash(["requests"], toRangeQuery(from, to)))

export const NowPage = ({ location: { query } }: PageProps) => {
  const { from, to } = useRange({}, "1h", 30_000)
  const window = { ...toRangeQuery(from, to), interval: "minute" }
  const total = useApi<"series.get">("api/v1/signalbox/series", window, {
    every: 10_000,
    slides: "1h"
  })
  const health = useApi<"reports.health">(
    "api/v1/signalbox/health",
    { endpoints: "none" },
    { every: 10_000 }
  )
  const isOperator = health.error?.status !== 403
  return (
    <>
      {isOperator && (
        <Loading loaded={health}>{({ data }) => <InstanceFigures report={data} />}</Loading>
      )}
      <Section
        title="The last hour"
        aside={<a href={toHash(["overview"], { range: "1h" })}>Compared with the hour before</a>}
      >
        <Loading loaded={total}>
          {({ data }) => (
            <MarkedCharts from={from} to={to}>
              <OutcomeChart title="Requests a minute" data={data} onSelect={showRequests} />
              <LatencyChart data={data} onSelect={showRequests} />
            </MarkedCharts>
          )}
        </Loading>
      </Section>
      <Section title="Endpoints">
        {isOperator ? <LiveEndpoints query={query} /> : <AccountEndpoints window={window} />}
      </Section>
    </>
  )
}

const empty =
  "No endpoint has been tried yet. Send a request, and the endpoints that are tried appear here."

/** For an account that does not see the health of the instance. */
const AccountEndpoints = ({ window }: { readonly window: Record<string, string | undefined> }) => {
  const series = useApi<"series.get">(
    "api/v1/signalbox/series",
    { ...window, group_by: "endpoint", limit: 200 },
    { every: 10_000, slides: "1h" }
  )
  return (
    <Loading loaded={series} isEmpty={({ data }) => data.series.length === 0} empty={empty}>
      {({ data }) => <EndpointTable rows={fromSeries(data)} now={Date.parse(data.to)} />}
    </Loading>
  )
}
