/** Plots as SVG: lines and points over two axes. Colours are attributes, because a policy may forbid styles. */
import { escapeHtml } from "./renderPage.ts"

/** An axis: the name of its values, and the position of a value on it. */
export interface PlotAxis {
  readonly label: string
  /** The place of a value, from 0 to 1. */
  readonly place: (value: number) => number
  readonly ticks: ReadonlyArray<{ readonly value: number; readonly label: string }>
}

/** A line of a plot, and its name in the legend. */
export interface PlotSeries {
  readonly name: string
  /** In the order in which they are joined; a gap begins where `y` is undefined. */
  readonly points: ReadonlyArray<{ readonly x: number; readonly y: number | undefined }>
  readonly isDashed?: boolean
  readonly hasMarks?: boolean
}

const width = 880
const height = 360
const margin = { left: 64, right: 32, top: 16, bottom: 48 }
const plotWidth = width - margin.left - margin.right
const plotHeight = height - margin.top - margin.bottom

const colors = [
  "#0969da",
  "#cf222e",
  "#1a7f37",
  "#8250df",
  "#bc4c00",
  "#57606a",
  "#bf3989",
  "#0a7ea4"
] as const

const pickColor = (index: number): string => colors[index % colors.length]!

/** `label` describes the plot for readers who do not see it. */
export const renderPlot = (
  label: string,
  xAxis: PlotAxis,
  yAxis: PlotAxis,
  series: ReadonlyArray<PlotSeries>
): string => {
  const toX = (value: number): string => fix(margin.left + clamp(xAxis.place(value)) * plotWidth)
  const toY = (value: number): string =>
    fix(margin.top + (1 - clamp(yAxis.place(value))) * plotHeight)
  const bottom = margin.top + plotHeight
  return renderSvg(label, width, height + 22 * series.length, [
    ...yAxis.ticks.flatMap((tick) => [
      line(fix(margin.left), toY(tick.value), fix(width - margin.right), toY(tick.value)),
      text(margin.left - 8, Number(toY(tick.value)) + 4, tick.label, "end")
    ]),
    ...xAxis.ticks.flatMap((tick) => [
      line(toX(tick.value), fix(bottom), toX(tick.value), fix(bottom + 5)),
      text(Number(toX(tick.value)), bottom + 20, tick.label, "middle")
    ]),
    text(margin.left + plotWidth / 2, bottom + 40, xAxis.label, "middle"),
    text(margin.left + 6, margin.top + 12, yAxis.label, "start"),
    ...series.flatMap((each, index) => [
      `<path d="${toPath(each, toX, toY)}" fill="none" stroke="${pickColor(index)}" stroke-width="2"${each.isDashed === true ? ' stroke-dasharray="6 4"' : ""}/>`,
      ...(each.hasMarks === true
        ? each.points.flatMap(({ x, y }) =>
            y === undefined
              ? []
              : [`<circle cx="${toX(x)}" cy="${toY(y)}" r="3.5" fill="${pickColor(index)}"/>`]
          )
        : []),
      ...legendEntry(index, each.name)
    ])
  ])
}

/** A bar for each row, made of one piece for each part; `share` is from 0 to 1. */
export const renderBars = (
  label: string,
  rows: ReadonlyArray<{
    readonly name: string
    readonly parts: ReadonlyArray<{ readonly name: string; readonly share: number }>
  }>
): string => {
  const names = Array.from(new Set(rows.flatMap(({ parts }) => parts.map(({ name }) => name))))
  const left = 190
  const barWidth = width - left - margin.right
  const legendTop = rows.length * 34 + 12
  return renderSvg(label, width, legendTop + 22 * names.length + 8, [
    ...rows.flatMap(({ name, parts }, row) => {
      let from = 0
      return [
        text(left - 10, row * 34 + 26, name, "end"),
        ...parts.map((part) => {
          const x = left + from * barWidth
          from += part.share
          return `<rect x="${fix(x)}" y="${row * 34 + 10}" width="${fix(part.share * barWidth)}" height="24" fill="${pickColor(names.indexOf(part.name))}"><title>${escapeHtml(`${part.name}: ${toPercent(part.share)}`)}</title></rect>`
        })
      ]
    }),
    ...names.flatMap((name, index) => legendEntry(index, name, legendTop))
  ])
}

export const toPercent = (share: number): string => `${(100 * share).toFixed(1)} %`

/** Ticks at 1, 2 and 5 of each power of ten, from a value to another, both above 0. */
export const makeLogAxis = (
  label: string,
  from: number,
  to: number,
  toLabel: (value: number) => string
): PlotAxis => {
  const low = Math.log10(from)
  const span = Math.max(Math.log10(to) - low, 0.1)
  const ticks = []
  for (let power = Math.floor(low); power <= Math.ceil(low + span); power++) {
    for (const digit of [1, 2, 5]) {
      const value = digit * 10 ** power
      if (value >= from && value <= 10 ** (low + span)) ticks.push({ value, label: toLabel(value) })
    }
  }
  return { label, ticks, place: (value) => (Math.log10(Math.max(value, from)) - low) / span }
}

const renderSvg = (
  label: string,
  wide: number,
  high: number,
  parts: ReadonlyArray<string>
): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" role="img" font-family="system-ui, sans-serif" font-size="13">`,
    `<title>${escapeHtml(label)}</title>`,
    ...parts,
    "</svg>"
  ].join("\n")

const legendEntry = (index: number, name: string, top: number = height): ReadonlyArray<string> => [
  `<rect x="${margin.left}" y="${top + 22 * index}" width="14" height="14" fill="${pickColor(index)}"/>`,
  text(margin.left + 22, top + 22 * index + 12, name, "start")
]

const toPath = (
  { points }: PlotSeries,
  toX: (value: number) => string,
  toY: (value: number) => string
): string => {
  let isJoined = false
  return points
    .flatMap(({ x, y }) => {
      if (y === undefined) {
        isJoined = false
        return []
      }
      const command = `${isJoined ? "L" : "M"}${toX(x)} ${toY(y)}`
      isJoined = true
      return [command]
    })
    .join("")
}

const line = (x1: string, y1: string, x2: string, y2: string): string =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#d0d7de"/>`

const text = (x: number, y: number, content: string, anchor: "start" | "middle" | "end"): string =>
  `<text x="${fix(x)}" y="${fix(y)}" text-anchor="${anchor}" fill="#1f2328">${escapeHtml(content)}</text>`

/** Two decimals, so that pages are alike on every machine. */
const fix = (value: number): string => value.toFixed(2)

const clamp = (place: number): number => (place >= 0 ? Math.min(place, 1) : 0)
