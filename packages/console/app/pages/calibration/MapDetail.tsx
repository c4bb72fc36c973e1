/** One calibration map: its figures before and after, and its reliability diagram. */
import { Badge } from "../../components/Badge.tsx"
import { Section } from "../../components/Section.tsx"
import { Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { formatDecimal, formatCount, formatShare } from "../../format/format.ts"
import { formatId } from "../../format/formatId.ts"
import {
  type CalibrationMap,
  describeMap,
  describeMapTrust,
  formatPoints
} from "./describeTrust.ts"
import { ReliabilityDiagram } from "./ReliabilityDiagram.tsx"

/** With so few labels, the latest ones say nothing on their own. */
const minRecent = 50

export const MapDetail = ({ map }: { readonly map: CalibrationMap }) => {
  const {
    labeled_by: [first],
    recent
  } = map
  const hasDrifted =
    recent.samples >= minRecent &&
    recent.samples < map.samples &&
    recent.after.ece > 2 * Math.max(map.after.ece, recent.after.ece_by_chance)
  return (
    <Section title={capitalize(describeMap(map))}>
      <p class="sentence">{describeMapTrust(map)}</p>
      {hasDrifted && (
        <p class="text-warn">
          Questions may have changed: the error of the last {formatCount(recent.samples)} labels is{" "}
          {formatPoints(recent.after.ece)}.
        </p>
      )}
      <p class="small">
        <Badge>{map.map}</Badge> fitted <Time at={map.fitted_at} /> from {map.method}
        {first !== undefined && (
          <>
            {" · most labels by "}
            <bdi>
              {first.user ?? (first.key === null ? "the application" : formatId(first.key))}
            </bdi>{" "}
            ({formatShare(first.share)})
          </>
        )}
      </p>
      <div class="charts">
        <ReliabilityDiagram title="Reliability" map={map} />
        <div>
          <Table<Row>
            caption={`Figures of ${describeMap(map)}`}
            rows={toRows(map)}
            toKey={({ title }) => title}
            columns={[
              { title: "Figure", cell: ({ hint, title }) => <span title={hint}>{title}</span> },
              { title: "Before", isNumber: true, cell: ({ before }) => before },
              { title: "After", isNumber: true, cell: ({ after }) => after }
            ]}
          />
        </div>
      </div>
    </Section>
  )
}

interface Row {
  readonly title: string
  readonly hint: string
  readonly before: string
  readonly after: string
}

const toRows = ({ after, before, recent, samples }: CalibrationMap): ReadonlyArray<Row> => {
  const toRow = (
    title: string,
    hint: string,
    pick: (figures: CalibrationMap["after"]) => string
  ): Row => ({ title, hint, before: pick(before), after: pick(after) })
  return [
    toRow(
      "ECE",
      "Expected calibration error: by how many points probabilities are off on average",
      ({ ece }) => formatPoints(ece)
    ),
    toRow("ECE by chance", "What chance alone would cause with so many labels", (figures) =>
      formatPoints(figures.ece_by_chance)
    ),
    toRow(
      "Brier score",
      "Lower is better; it counts how well right and wrong are told apart, too",
      (figures) => formatDecimal(figures.brier, 3)
    ),
    toRow("Log-loss", "Lower is better", ({ nll }) => formatDecimal(nll, 3)),
    {
      title: `ECE of the last ${formatCount(recent.samples)}`,
      hint: "Shows whether questions have changed",
      before: formatPoints(recent.before.ece),
      after: formatPoints(recent.after.ece)
    },
    {
      title: "Labels",
      hint: "Answers with labels",
      before: formatCount(samples),
      after: formatCount(samples)
    }
  ]
}

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
