/** A comparison of simulations as one HTML page with plots. */
import type { SimulationComparison } from "../compareSimulations.ts"
import {
  renderHeading,
  renderHtmlTable,
  renderPage,
  renderParagraph
} from "../../../values/render/renderPage.ts"
import {
  makeLogAxis,
  type PlotAxis,
  renderBars,
  renderPlot
} from "../../../values/render/renderPlot.ts"
import type { LatencyFigures } from "../SimulationReport.ts"
import {
  comparisonHead,
  listComparisonNotes,
  listComparisonRows,
  listEndpoints
} from "./describeComparison.ts"

/** Needs no other file and no script, and allows none by a policy of its own. Every text in it is escaped. */
export const renderSimulationHtml = (comparison: SimulationComparison): string => {
  const { recorded, reports } = comparison
  const runs = [{ name: "as recorded", figures: recorded }, ...reports.map(toRun)]
  const endpoints = listEndpoints(comparison)
  return renderPage("Simulated traffic", [
    renderHtmlTable(comparisonHead, listComparisonRows(comparison)),
    ...listComparisonNotes(comparison).map(renderParagraph),
    renderHeading("Latency by share of the requests"),
    renderPlot(
      "Time to the first event that a share of the requests does not exceed",
      shareAxis,
      makeMillisAxis(
        runs.flatMap(({ figures }) =>
          figures.quantiles.flatMap(({ millis, share }) => (share < 1 ? [millis] : []))
        )
      ),
      runs.map(({ figures, name }, index) => ({
        name,
        isDashed: index === 0,
        points: figures.quantiles
          .filter(({ share }) => share < 1)
          .map(({ millis, share }) => ({ x: share, y: millis }))
      }))
    ),
    renderHeading("95th percentile over time"),
    renderPlot(
      "95th percentile of the time to the first event, over the recorded time",
      makeTimeAxis(recorded),
      makeMillisAxis(runs.flatMap(({ figures }) => figures.overTime.map(({ p95 }) => p95))),
      runs.map(({ figures, name }, index) => ({
        name,
        isDashed: index === 0,
        points: figures.overTime.map(({ at, p95 }) => ({ x: at, y: p95 }))
      }))
    ),
    renderHeading("Attempts by endpoint"),
    renderBars(
      "Share of the attempts at each endpoint",
      reports.map(({ name, shares }) => ({
        name,
        parts: endpoints.map((endpoint) => ({ name: endpoint, share: shares[endpoint] ?? 0 }))
      }))
    ),
    renderHeading("Requests under way"),
    renderParagraph(
      "What 99 % of the calls found at most. A run with more than twice the recorded requests under way at an endpoint is not ranked."
    ),
    renderHtmlTable(
      ["endpoint", "recorded", ...reports.map(({ name }) => name)],
      endpoints.map((endpoint) => [
        endpoint,
        String(reports[0]?.load[endpoint]?.recorded.p99 ?? 0),
        ...reports.map(({ load }) => String(load[endpoint]?.simulated.p99 ?? 0))
      ])
    )
  ])
}

const toRun = <A extends LatencyFigures & { readonly name: string }>(report: A) => ({
  name: report.name,
  figures: report
})

/** A scale by nines: 90, 99 and 99.9 % are equally far from each other. */
const shareAxis: PlotAxis = {
  label: "share of the requests",
  place: (share) => -Math.log10(Math.max(1 - share, 0.001)) / 3,
  ticks: [0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999].map((value) => ({
    value,
    label: `${Number((100 * value).toFixed(1))} %`
  }))
}

const makeMillisAxis = (values: ReadonlyArray<number | undefined>): PlotAxis => {
  const known = values.flatMap((value) => (value === undefined || value <= 0 ? [] : [value]))
  const lowest = known.length === 0 ? 1 : Math.min(...known)
  const highest = known.length === 0 ? 10 : Math.max(...known)
  return makeLogAxis("milliseconds", lowest, highest, (value) =>
    value >= 1_000 ? `${value / 1_000} s` : `${value} ms`
  )
}

const makeTimeAxis = ({ overTime }: LatencyFigures): PlotAxis => {
  const from = overTime[0]?.at ?? 0
  const span = Math.max(1, (overTime.at(-1)?.at ?? 1) - from)
  return {
    label: "minutes of the recording",
    place: (at) => (at - from) / span,
    ticks: [0, 0.25, 0.5, 0.75, 1].map((share) => ({
      value: from + share * span,
      label: ((share * span) / 60_000).toFixed(1)
    }))
  }
}
