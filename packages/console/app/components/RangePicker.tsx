/** Chooses the time that a page shows, in the address. */
import { formatTime } from "../format/format.ts"
import { setQuery } from "../routing/location.ts"
import { type RangeName, rangeNames, type TimeRange } from "../routing/timeRange.ts"
import { ExactTime } from "./ExactTime.tsx"

export const RangePicker = ({
  names = rangeNames,
  range
}: {
  readonly range: TimeRange
  /** The ranges to choose from; default: all. */
  readonly names?: ReadonlyArray<RangeName>
}) => (
  <div class="range" role="group" aria-label="Time">
    {range.name === undefined && (
      <span class="muted small">
        {formatTime(range.from)} – {formatTime(range.to)}
      </span>
    )}
    {names.map((name) => (
      <button
        key={name}
        type="button"
        aria-pressed={range.name === name}
        onClick={() => setQuery({ range: name, from: undefined, to: undefined })}
      >
        {name}
      </button>
    ))}
    <ExactTime range={range} />
  </div>
)
