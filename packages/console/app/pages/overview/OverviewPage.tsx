/** The first page: whether all is well, what has changed since the time before, and where to look next. */
import { useApi } from "../../api/useApi.ts"
import { RangePicker } from "../../components/RangePicker.tsx"
import { parseTimeRange } from "../../routing/timeRange.ts"
import { useNow } from "../../routing/useNow.ts"
import { usePaused } from "../../routing/useRange.ts"
import type { PageProps } from "../../shell/Page.ts"
import { Figures } from "./Figures.tsx"
import { Onboarding } from "./Onboarding.tsx"
import { OpenIncidents } from "./OpenIncidents.tsx"
import { ProviderStrip } from "./ProviderStrip.tsx"
import { TopSpenders } from "./TopSpenders.tsx"
import { toPeriods } from "./toPeriods.ts"

export const OverviewPage = ({ location: { query }, session }: PageProps) => {
  const now = useNow(30_000, usePaused())
  const range = parseTimeRange(query, now, "24h")
  const periods = toPeriods(range, now)
  const incidents = useApi<"incidents.list">(
    "api/v1/signalbox/incidents",
    { from: new Date(periods.beforeFrom).toISOString(), limit: 100 },
    { every: 10_000 }
  )
  // Providers are the host's: other accounts do not see their state.
  const isOperator = incidents.error?.status !== 403
  return (
    <>
      {isOperator && <OpenIncidents incidents={incidents} />}
      <Onboarding session={session} />
      <Figures
        aside={<RangePicker range={range} />}
        incidents={isOperator ? incidents.data?.data : undefined}
        now={now}
        periods={periods}
        range={range}
      />
      {isOperator && <ProviderStrip />}
      <TopSpenders periods={periods} query={query} range={range} />
    </>
  )
}
