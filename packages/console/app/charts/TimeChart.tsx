/** A chart over time, with a brush that selects a time, a legend that reads the cursor, and a table behind it. */
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import uPlot from "uplot"
import { formatTime, unknown } from "../format/format.ts"
import { useColorScheme } from "../preferences/colorScheme.ts"
import { usePreferences } from "../preferences/preferences.ts"
import { formatTicks } from "./formatTicks.ts"
import { drawMarks, MarksContext } from "./marks.ts"
import { readColor, readVariable, type SeriesColor, toCssColor } from "./palette.ts"
import { snapToBuckets } from "./snapToBuckets.ts"
import { stack, type Values } from "./stack.ts"

interface ChartSeries {
  readonly label: string
  readonly color: SeriesColor
  /** One for each of the times; null without a measurement. */
  readonly values: Values
}

export interface TimeChartProps {
  readonly title: string
  /**
   * - `lines`
   * - `bars`: stacked bars; each covers the time until the next one
   * - `bands`: lines with the area between neighbours filled, such as percentiles from the lowest to the highest
   */
  readonly kind: "bands" | "bars" | "lines"
  /** When the points begin, in milliseconds since the epoch, oldest first. */
  readonly times: ReadonlyArray<number>
  readonly series: ReadonlyArray<ChartSeries>
  readonly format: (value: number | null | undefined) => string
  /** What the axis covers, in milliseconds since the epoch; default: the times. */
  readonly from?: number
  readonly to?: number
  /** The position of the first of the times that is not over; default: all are. */
  readonly unfinished?: number | undefined
  /** Pixels; default: 160. */
  readonly height?: number
  /** Called with the time that the viewer selects, in milliseconds since the epoch. */
  readonly onSelect?: ((from: number, to: number) => void) | undefined
}

export const TimeChart = (props: TimeChartProps) => {
  const { format, series, title, unfinished } = props
  const [cursor, setCursor] = useState<number | undefined>(undefined)
  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-title">{title}</span>
        <span class="chart-at">{cursor === undefined ? "" : describeTime(props, cursor)}</span>
      </figcaption>
      <Canvas {...props} onCursor={setCursor} />
      <ul class="legend">
        {series.map(({ color, label, values }, at) => (
          // Names are not unique.
          <li key={`${at}`}>
            <i class="swatch" style={{ background: toCssColor(color) }} />
            <span>{label}</span>
            <b>{cursor === undefined ? "" : format(values[cursor])}</b>
          </li>
        ))}
        {unfinished !== undefined && <li class="muted">pale: not over yet</li>}
      </ul>
      <details>
        <summary>Table</summary>
        <DataTable {...props} />
      </details>
    </figure>
  )
}

const describeTime = (
  { times, unfinished = Infinity }: Pick<TimeChartProps, "times" | "unfinished">,
  at: number
): string => {
  const time = times[at]
  if (time === undefined) return ""
  return at < unfinished ? formatTime(time) : `${formatTime(time)}, not over yet`
}

const DataTable = ({ format, series, times, title, unfinished }: TimeChartProps) => (
  <div class="table" role="region" aria-label={`${title}, as a table`} tabIndex={0}>
    <table class="data">
      <caption class="hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {series.map(({ label }, at) => (
            <th key={`${at}`} scope="col" class="number">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times
          .map((time, at) => (
            <tr key={time}>
              <th scope="row">{describeTime({ times, unfinished }, at)}</th>
              {series.map(({ values }, column) => (
                <td key={`${column}`} class="number">
                  {values[at] === null ? unknown : format(values[at])}
                </td>
              ))}
            </tr>
          ))
          .toReversed()}
      </tbody>
    </table>
  </div>
)

const Canvas = ({
  format,
  from,
  height = 160,
  kind,
  onCursor,
  onSelect,
  series,
  times,
  title,
  to,
  unfinished
}: TimeChartProps & { readonly onCursor: (at: number | undefined) => void }) => {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const scheme = useColorScheme()
  const { isUtc } = usePreferences()
  const { group, marks } = useContext(MarksContext)
  const latest = useRef({ from, marks, onCursor, onSelect, series, times, to, unfinished })
  latest.current = { from, marks, onCursor, onSelect, series, times, to, unfinished }

  // The drawn order: of stacked bars the sum of all comes first, and the others cover it.
  const labels = series.map(({ color, label }) => `${label}\n${color}`).join("\n")
  const data = useMemo((): uPlot.AlignedData => {
    const values =
      kind === "bars"
        ? stack(series.map(({ values }) => values)).toReversed()
        : series.map(({ values }) => values)
    return [times.map((time) => time / 1_000), ...values.map((each) => [...each])]
  }, [kind, series, times])

  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return
    const drawn = kind === "bars" ? latest.current.series.toReversed() : latest.current.series
    const chart = new uPlot(
      {
        width: Math.max(element.clientWidth, 100),
        height,
        padding: [8, 20, 0, 0],
        legend: { show: false },
        ...(isUtc ? { tzDate: toUtcDate } : undefined),
        cursor: {
          y: false,
          points: { show: kind !== "bars" },
          drag: { x: true, y: false, setScale: false },
          ...(group === undefined ? undefined : { sync: makeSync(group) })
        },
        scales: {
          x: {
            range: (_, min, max) => {
              const { from, to } = latest.current
              return [from === undefined ? min : from / 1_000, to === undefined ? max : to / 1_000]
            }
          },
          y: { range: (_, _min, max) => [0, max > 0 ? max * 1.1 : 1] }
        },
        axes: [
          makeAxis({
            space: 70,
            size: 34,
            values: (_, ticks, _axis, _space, step) => formatTicks(ticks, step, isUtc)
          }),
          makeAxis({ size: 64, values: (_, ticks) => ticks.map((tick) => format(tick)) })
        ],
        series: [{}, ...drawn.map(({ color, label }) => makeSeries(kind, label, color))],
        ...(kind === "bands"
          ? {
              bands: drawn.slice(1).map(({ color }, at) => ({
                series: [at + 2, at + 1] as [number, number],
                fill: readColor(color, 0.18)
              }))
            }
          : undefined),
        hooks: {
          draw: [
            (chart) => drawPale(chart, latest.current),
            (chart) => drawMarks(chart, latest.current.marks)
          ],
          setCursor: [(chart) => latest.current.onCursor(chart.cursor.idx ?? undefined)],
          setSelect: [
            (chart) => {
              const { left, width } = chart.select
              if (width < 4) return
              const { onSelect: select, times, to } = latest.current
              chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
              const selected = {
                from: Math.floor(chart.posToVal(left, "x") * 1_000),
                to: Math.ceil(chart.posToVal(left + width, "x") * 1_000)
              }
              const { from, to: until } = snapToBuckets(selected, times, to ?? selected.to)
              select?.(from, until)
            }
          ]
        }
      },
      data,
      element
    )
    plot.current = chart
    const resize = new ResizeObserver(() => {
      if (element.clientWidth > 0 && element.clientWidth !== chart.width) {
        chart.setSize({ width: element.clientWidth, height })
      }
    })
    resize.observe(element)
    return () => {
      resize.disconnect()
      chart.destroy()
      plot.current = undefined
    }
    // Data alone is set below, without making the chart again.
  }, [kind, labels, height, scheme, isUtc, format, group])

  useEffect(() => plot.current?.setData(data), [data, from, marks, to, unfinished])

  return (
    <div
      class="plot"
      ref={host}
      role="img"
      aria-label={`${title}; its figures are in the table below`}
    />
  )
}

/** `at` is in seconds since the epoch. */
const toUtcDate = (at: number): Date => uPlot.tzDate(new Date(at * 1_000), "Etc/UTC")

/** Charts of a group show the same time under the cursor. What is selected is of one chart alone. */
const makeSync = (key: string): uPlot.Cursor.Sync => ({
  key,
  scales: ["x", null],
  filters: { pub: (type) => type === "mousemove" || type === "mouseleave" }
})

/** Pales what is not over: its bars are low because they still grow. */
const drawPale = (
  chart: uPlot,
  { times, unfinished }: Pick<TimeChartProps, "times" | "unfinished">
): void => {
  const time = unfinished === undefined ? undefined : times[unfinished]
  if (time === undefined) return
  const { bbox, ctx } = chart
  const left = Math.max(bbox.left, chart.valToPos(time / 1_000, "x", true))
  ctx.save()
  ctx.globalAlpha = 0.6
  ctx.fillStyle = readVariable("--bg")
  ctx.fillRect(left, bbox.top, bbox.left + bbox.width - left, bbox.height)
  ctx.restore()
}

const makeAxis = (axis: Partial<uPlot.Axis>): uPlot.Axis => ({
  stroke: readVariable("--muted"),
  grid: { stroke: readVariable("--line"), width: 1 },
  ticks: { show: false },
  font: "11px system-ui, sans-serif",
  ...axis
})

const makeSeries = (
  kind: TimeChartProps["kind"],
  label: string,
  color: SeriesColor
): uPlot.Series => {
  const stroke = readColor(color)
  if (kind !== "bars") return { label, stroke, width: 1.5, points: { size: 4 } }
  return {
    label,
    stroke,
    fill: stroke,
    width: 0,
    points: { show: false },
    paths: uPlot.paths.bars!({ size: [0.9, 40], align: 1 })
  }
}
