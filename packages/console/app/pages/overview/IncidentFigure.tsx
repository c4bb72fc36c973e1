/** How many incidents are open, and how many began in the time, beside the time before. */
import { formatCount } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import type { Incident } from "../incidents/describeIncident.ts"
import { Figure } from "./Figure.tsx"
import type { Periods } from "./toPeriods.ts"

/** Points of the line. */
const steps = 24

export const IncidentFigure = ({
  incidents,
  periods: { beforeFrom, from, to }
}: {
  /** Those that lasted in either time. */
  readonly incidents: ReadonlyArray<Incident>
  readonly periods: Periods
}) => {
  const open = incidents.filter(({ state }) => state === "open").length
  const countBegun = (since: number, until: number): number =>
    incidents.filter(({ started_at: start }) => {
      const at = Date.parse(start)
      return at >= since && at < until
    }).length
  const step = (to - from) / steps
  return (
    <Figure
      title="Open incidents"
      change={`${formatCount(countBegun(from, Infinity))} began, ${formatCount(countBegun(beforeFrom, from))} before`}
      isBad={open > 0}
      values={Array.from({ length: steps }, (_, at) =>
        countBegun(from + at * step, at === steps - 1 ? Infinity : from + (at + 1) * step)
      )}
    >
      <a href={toHash(["incidents"], { state: open > 0 ? "open" : undefined })}>
        {formatCount(open)}
      </a>
    </Figure>
  )
}
