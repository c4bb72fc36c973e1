/** A calibration report as text, and as one HTML page with reliability diagrams. */
import {
  type PlotAxis,
  renderHeading,
  renderHtmlTable,
  renderPage,
  renderParagraph,
  renderPlot,
  renderTable
} from "@signalbox/core/render"
import type { CalibrationFigures, CalibrationMap } from "./CalibrationReport.ts"

const head = [
  "map",
  "method",
  "fitted",
  "labels",
  "ECE before",
  "after",
  "by chance",
  "Brier before",
  "after",
  "most by",
  "recent labels",
  "ECE before",
  "after",
  "by chance"
]

const toRow = (map: CalibrationMap): ReadonlyArray<string> => [
  describeMap(map),
  map.method,
  map.map,
  String(map.samples),
  map.before.ece.toFixed(3),
  map.after.ece.toFixed(3),
  map.after.ece_by_chance.toFixed(3),
  map.before.brier.toFixed(3),
  map.after.brier.toFixed(3),
  describeLabeler(map),
  // Worse than the rest: questions have changed.
  String(map.recent.samples),
  map.recent.before.ece.toFixed(3),
  map.recent.after.ece.toFixed(3),
  map.recent.after.ece_by_chance.toFixed(3)
]

const describeMap = ({ kind, model, question }: CalibrationMap): string =>
  [model, kind, ...(question === null ? [] : [question])].join(" ")

/** The labeler with the most weight, and its share. */
const describeLabeler = ({ labeled_by: [first] = [] }: CalibrationMap): string => {
  if (first === undefined) return ""
  const name = first.user ?? first.key?.slice(0, 8) ?? "application"
  return `${name} ${Math.round(first.share * 100)} %`
}

const nothing =
  "Nothing is calibrated yet: ask Decisions with calibration, then label some with signalbox calibration label."

/** The diagram of one map is drawn with characters; several are only in the table. */
export const renderCalibrationText = (maps: ReadonlyArray<CalibrationMap>): string => {
  if (maps.length === 0) return nothing
  const [only, ...others] = maps
  return [
    renderTable(head, maps.map(toRow)),
    ...(only === undefined || others.length > 0 ? [] : ["", drawDiagram(only.after)])
  ].join("\n")
}

const barLength = 40

/** A bar for each bin: the accuracy, and a mark where the confidence is. */
const drawDiagram = ({ bins }: CalibrationFigures): string =>
  renderTable(
    ["confidence", "labels", "accuracy", "  0 ".padEnd(barLength) + "1"],
    bins
      .filter(({ count }) => count > 0)
      .map(({ accuracy, confidence, count, from, to }) => {
        const bar = Array.from({ length: barLength + 1 }, (_, at) =>
          at === Math.round(confidence * barLength) ? "│" : at <= accuracy * barLength ? "█" : "·"
        ).join("")
        return [`${from.toFixed(2)}–${to.toFixed(2)}`, String(count), accuracy.toFixed(2), bar]
      })
  )

const shareAxis = (label: string): PlotAxis => ({
  label,
  place: (value) => value,
  ticks: [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => ({ value, label: String(value) }))
})

export const renderCalibrationHtml = (maps: ReadonlyArray<CalibrationMap>): string =>
  renderPage("Calibration", [
    ...(maps.length === 0 ? [renderParagraph(nothing)] : [renderHtmlTable(head, maps.map(toRow))]),
    ...maps.flatMap((map) => [
      renderHeading(describeMap(map)),
      renderPlot(
        `Accuracy by confidence of ${describeMap(map)}`,
        shareAxis("confidence"),
        shareAxis("accuracy"),
        [
          toSeries("calibrated (cross-validated)", map.after),
          toSeries("as the model answered", map.before),
          {
            name: "perfect",
            isDashed: true,
            points: [
              { x: 0, y: 0 },
              { x: 1, y: 1 }
            ]
          }
        ]
      )
    ])
  ])

const toSeries = (name: string, { bins }: CalibrationFigures) => ({
  name,
  hasMarks: true,
  points: bins
    .filter(({ count }) => count > 0)
    .map(({ accuracy, confidence }) => ({ x: confidence, y: accuracy }))
})
