/** What this month has cost so far, where it will end, and what the month before cost. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useApi } from "../../api/useApi.ts"
import { Loading } from "../../components/Loading.tsx"
import { Money } from "../../components/Money.tsx"
import { Section } from "../../components/Section.tsx"
import { formatMoney, formatSignedShare, formatTime } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { useNow } from "../../routing/useNow.ts"

type Month = OperationResponse<"series.forecast">["data"]

export const MonthFigures = () => {
  // The same time for a while, so that the link to the requests stays the same.
  const now = useNow(300_000)
  const month = useApi<"series.forecast">("api/v1/signalbox/forecast", {}, { every: 60_000 })
  return (
    <Section title="This month">
      <Loading loaded={month}>{({ data }) => <Figures month={data} now={now} />}</Loading>
    </Section>
  )
}

const Figures = ({
  month: {
    began_at: beganAt,
    ends_at: endsAt,
    forecast,
    former,
    former_so_far: formerSoFar,
    spent
  },
  now
}: {
  readonly month: Month
  readonly now: number
}) => {
  const requests = {
    from: beganAt,
    to: new Date(Math.ceil(now / 60_000) * 60_000).toISOString()
  }
  return (
    <dl class="figures">
      <div>
        <dt>Spent since {formatTime(beganAt)}</dt>
        <dd>
          <a href={toHash(["requests"], requests)}>
            <Money usd={spent} />
          </a>
        </dd>
      </div>
      <div>
        <dt>Forecast for {formatTime(endsAt)}</dt>
        <dd>
          {forecast === null ? (
            <span class="muted small">known after two full days of requests</span>
          ) : (
            <>
              <Money usd={forecast.expected} />{" "}
              <span
                class="muted small"
                title={`The mean of the last ${forecast.days} full days for each day to come; in 9 of 10 cases between these amounts`}
              >
                {formatMoney(forecast.low)} to {formatMoney(forecast.high)}
              </span>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Month before</dt>
        <dd>
          <Money usd={former} />{" "}
          {formerSoFar > 0 && (
            <span class="muted small">
              {formatSignedShare(spent / formerSoFar - 1)} at the same day
            </span>
          )}
        </dd>
      </div>
    </dl>
  )
}
