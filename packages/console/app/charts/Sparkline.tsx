/** A small line without axes, beside the figure that it belongs to. */
import { type SeriesColor, toCssColor } from "./palette.ts"
import type { Values } from "./stack.ts"

const width = 96
const height = 20

export const Sparkline = ({
  color = 0,
  label,
  values
}: {
  /** What a screen reader says in its place. */
  readonly label: string
  readonly values: Values
  readonly color?: SeriesColor
}) => (
  <svg
    class="sparkline"
    role="img"
    aria-label={label}
    viewBox={`0 0 ${width} ${height}`}
    width={width}
    height={height}
  >
    <path
      d={toPath(values)}
      fill="none"
      stroke={toCssColor(color)}
      stroke-width="1.25"
      stroke-linecap="round"
    />
  </svg>
)

/** Points without a measurement interrupt the line; one between two of them is a dot. */
const toPath = (values: Values): string => {
  const max = Math.max(1e-9, ...values.map((value) => value ?? 0))
  const step = width / Math.max(1, values.length - 1)
  let isDrawing = false
  return values
    .map((value, at) => {
      if (value === null) {
        isDrawing = false
        return ""
      }
      const [command, dot] = isDrawing ? ["L", ""] : ["M", "h0"]
      isDrawing = true
      return `${command}${(at * step).toFixed(1)} ${(height - 1 - (value / max) * (height - 2)).toFixed(1)}${dot}`
    })
    .join("")
}
