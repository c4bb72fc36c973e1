/** Two figures with their intervals on one scale, and a line that the second must not cross. */
import type { SeriesColor } from "../../charts/palette.ts"
import { toCssColor } from "../../charts/palette.ts"

export interface Estimate {
  readonly label: string
  readonly value: number | null
  readonly interval: { readonly low: number; readonly high: number } | null
  readonly color: SeriesColor
}

const width = 300
const rowHeight = 18

export const IntervalPlot = ({
  estimates,
  format,
  line,
  title
}: {
  readonly title: string
  readonly estimates: ReadonlyArray<Estimate>
  /** Undefined: there is none. */
  readonly line: number | undefined
  readonly format: (value: number | null) => string
}) => {
  const max =
    Math.max(
      1e-9,
      line ?? 0,
      ...estimates.map(({ interval, value }) => interval?.high ?? value ?? 0)
    ) * 1.05
  const toX = (value: number): number => (value / max) * width
  const height = estimates.length * rowHeight
  return (
    <figure class="intervals">
      <figcaption>{title}</figcaption>
      <div class="interval-rows">
        <ul>
          {estimates.map(({ interval, label, value }) => (
            <li key={label}>
              <bdi>{label}</bdi> <b>{format(value)}</b>
              {interval !== null && (
                <span class="muted small">
                  {" "}
                  {format(interval.low)} to {format(interval.high)}
                </span>
              )}
            </li>
          ))}
          {line !== undefined && <li class="text-bad small">rolled back above {format(line)}</li>}
        </ul>
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          preserveAspectRatio="none"
        >
          {estimates.map(({ color, interval, label, value }, at) => {
            const y = (at + 0.5) * rowHeight
            return (
              <g key={label} stroke={toCssColor(color)} fill={toCssColor(color)}>
                {interval !== null && (
                  <path d={`M${toX(interval.low)} ${y}H${toX(interval.high)}`} stroke-width="3" />
                )}
                {value !== null && <circle cx={toX(value)} cy={y} r={5} />}
              </g>
            )
          })}
          {line !== undefined && (
            <path
              d={`M${toX(line)} 0V${height}`}
              stroke={toCssColor("bad")}
              stroke-dasharray="4 3"
              stroke-width="1.5"
            />
          )}
        </svg>
      </div>
    </figure>
  )
}
