/** When each provider failed: a line of bars for each of them. */
import { Time } from "../../components/Time.tsx"
import { describeIncident, type Incident } from "./describeIncident.ts"

const width = 1_000

export const Timeline = ({
  incidents,
  now
}: {
  readonly incidents: ReadonlyArray<Incident>
  /** Milliseconds since the epoch. */
  readonly now: number
}) => {
  const from = Math.min(now - hourMillis, ...incidents.map(({ started_at: at }) => Date.parse(at)))
  const byProvider = Map.groupBy(incidents, ({ provider }) => provider)
  const toX = (at: number): number => ((at - from) / (now - from)) * width
  return (
    <figure class="timeline" aria-label="Timeline">
      {Array.from(byProvider, ([provider, own]) => (
        <div class="timeline-row" key={provider}>
          <bdi>{own[0]?.provider_name}</bdi>
          <svg
            role="img"
            aria-label={own.map(describeIncident).join("; ")}
            viewBox={`0 0 ${width} 16`}
            preserveAspectRatio="none"
          >
            {own.map(({ ended_at: end, id, started_at: start, state }) => {
              const x = toX(Date.parse(start))
              const until = toX(end === null ? now : Date.parse(end))
              return (
                <rect
                  key={id}
                  class={state}
                  x={x}
                  y={1}
                  width={Math.max(3, until - x)}
                  height={14}
                />
              )
            })}
          </svg>
        </div>
      ))}
      <figcaption class="muted small">
        <Time at={from} /> <span>now</span>
      </figcaption>
    </figure>
  )
}

const hourMillis = 3_600_000
