/** Chooses the time that a page shows, in the address. */
import { formatTime } from "../format/format.ts"
import { setQuery } from "../routing/location.ts"
import { type RangeName, ranges, type TimeRange } from "../routing/timeRange.ts"

export const RangePicker = ({ range }: { readonly range: TimeRange }) => (
  <div class="range" role="group" aria-label="Time">
    {range.name === undefined && (
      <span class="muted small">
        {formatTime(range.from)} – {formatTime(range.to)}
      </span>
    )}
    {(Object.keys(ranges) as ReadonlyArray<RangeName>).map((name) => (
      <button
        key={name}
        type="button"
        aria-pressed={range.name === name}
        onClick={() => setQuery({ range: name, from: undefined, to: undefined })}
      >
        {name}
      </button>
    ))}
  </div>
)
