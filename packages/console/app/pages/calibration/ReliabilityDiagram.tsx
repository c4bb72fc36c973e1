/** How often answers were right, by how sure they were: before calibration and after it. */
import { toCssColor } from "../../charts/palette.ts"
import { Table } from "../../components/Table.tsx"
import { formatCount, formatShare } from "../../format/format.ts"
import type { CalibrationMap } from "./describeTrust.ts"

type Bin = CalibrationMap["after"]["bins"][number]

const size = 280
const margin = 34
const ticks = [0, 0.25, 0.5, 0.75, 1]
const toX = (share: number): number => margin + share * size
const toY = (share: number): number => 6 + (1 - share) * size

export const ReliabilityDiagram = ({
  map: { after, before },
  title
}: {
  readonly title: string
  readonly map: Pick<CalibrationMap, "after" | "before">
}) => {
  const most = Math.max(1, ...[...before.bins, ...after.bins].map(({ count }) => count))
  return (
    <figure class="chart reliability">
      <figcaption class="chart-title">{title}</figcaption>
      <svg
        role="img"
        aria-label={`${title}: how often answers were right, by how sure they were`}
        viewBox={`0 0 ${size + margin + 12} ${size + margin + 6}`}
      >
        {ticks.map((tick) => (
          <g key={tick} class="axis">
            <path d={`M${toX(0)} ${toY(tick)}H${toX(1)}M${toX(tick)} ${toY(0)}V${toY(1)}`} />
            <text x={toX(0) - 5} y={toY(tick) + 4} text-anchor="end">
              {tick * 100}
            </text>
            <text x={toX(tick)} y={toY(0) + 15} text-anchor="middle">
              {tick * 100}
            </text>
          </g>
        ))}
        <path class="diagonal" d={`M${toX(0)} ${toY(0)}L${toX(1)} ${toY(1)}`} />
        <Bins bins={before.bins} color={toCssColor("rest")} most={most} />
        <Bins bins={after.bins} color={toCssColor(0)} most={most} />
        <text class="axis" x={toX(0.5)} y={toY(0) + 30} text-anchor="middle">
          sure by %, and right in % upwards
        </text>
      </svg>
      <ul class="legend small">
        <li>
          <i class="swatch" style={{ background: toCssColor("rest") }} /> before
        </li>
        <li>
          <i class="swatch" style={{ background: toCssColor(0) }} /> after calibration
        </li>
        <li class="muted">on the diagonal, a probability holds</li>
      </ul>
      <details>
        <summary>As a table</summary>
        <Table<readonly [string, Bin]>
          caption={title}
          rows={[
            ...before.bins.map((bin) => ["before", bin] as const),
            ...after.bins.map((bin) => ["after", bin] as const)
          ].filter(([, { count }]) => count > 0)}
          toKey={([side, { from }]) => `${side} ${from}`}
          columns={[
            { title: "Side", cell: ([side]) => side },
            { title: "Answers", isNumber: true, cell: ([, { count }]) => formatCount(count) },
            {
              title: "Sure by",
              isNumber: true,
              cell: ([, { confidence }]) => formatShare(confidence)
            },
            {
              title: "Right in",
              isNumber: true,
              cell: ([, { accuracy, high, low }]) =>
                `${formatShare(accuracy)} (${formatShare(low)} to ${formatShare(high)})`
            }
          ]}
        />
      </details>
    </figure>
  )
}

const Bins = ({
  bins,
  color,
  most
}: {
  readonly bins: ReadonlyArray<Bin>
  readonly color: string
  readonly most: number
}) => (
  <g fill={color} stroke={color}>
    {bins
      .filter(({ count }) => count > 0)
      .map(({ accuracy, confidence, count, from, high, low }) => (
        <g key={from}>
          <path d={`M${toX(confidence)} ${toY(low)}V${toY(high)}`} />
          <circle
            cx={toX(confidence)}
            cy={toY(accuracy)}
            r={2 + 6 * Math.sqrt(count / most)}
            fill-opacity="0.75"
          />
        </g>
      ))}
  </g>
)
