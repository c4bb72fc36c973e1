/** What happened at a time, drawn across the charts that show that time. */
import { createContext } from "preact"
import type uPlot from "uplot"
import type { Mark } from "./Mark.ts"
import { readColor, type SeriesColor } from "./palette.ts"

/** The marks of charts, and what joins those that share a cursor. */
export const MarksContext = createContext<{
  readonly group?: string
  readonly marks: ReadonlyArray<Mark>
}>({ marks: [] })

export const markColors: Readonly<Record<Mark["kind"], SeriesColor>> = {
  deployment: 3,
  incident: "bad"
}

/** A line at the beginning, and a shade until the end. */
export const drawMarks = (chart: uPlot, marks: ReadonlyArray<Mark>): void => {
  const {
    bbox: { height, left, top, width },
    ctx
  } = chart
  const toX = (at: number): number =>
    Math.min(left + width, Math.max(left, chart.valToPos(at / 1_000, "x", true)))
  ctx.save()
  for (const { at, kind, until } of marks) {
    const x = toX(at)
    if (until !== undefined) {
      ctx.fillStyle = readColor(markColors[kind], 0.1)
      ctx.fillRect(x, top, toX(until) - x, height)
    }
    ctx.setLineDash([6, 4])
    ctx.lineWidth = 2
    ctx.strokeStyle = readColor(markColors[kind])
    ctx.beginPath()
    ctx.moveTo(x, top)
    ctx.lineTo(x, top + height)
    ctx.stroke()
  }
  ctx.restore()
}
