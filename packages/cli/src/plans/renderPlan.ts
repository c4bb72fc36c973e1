/** A plan in tables: which endpoints would be tried, which not, and why. */
import type { ReportPlan } from "@signalbox/client"
import { escapeControls, renderTable } from "@signalbox/core/render"
import type { Paint } from "../output/paint.ts"

type Stage = Pick<ReportPlan, "models" | "ordered" | "rejected" | "relax" | "strategy">
type Ordered = Stage["ordered"][number]
type Reason = NonNullable<Ordered["demoted"]>[number]

export const renderPlan = (plan: ReportPlan, paint: Paint): string => {
  const { affinity, configuration, escalation, seed } = plan
  return [
    ...renderStage(plan, paint),
    ...(escalation === undefined
      ? []
      : ["", paint("bold", "If it escalates"), "", ...renderStage(escalation, paint)]),
    "",
    ...(affinity === undefined ? [] : [describeAffinity(affinity)]),
    paint("dim", `Configuration ${configuration}, seed ${seed}.`)
  ].join("\n")
}

const renderStage = (
  { models, ordered, rejected, relax = [], strategy }: Stage,
  paint: Paint
): ReadonlyArray<string> => [
  escapeControls(`${models.join(", ")}, ordered by ${strategy}`),
  "",
  ordered.length === 0
    ? paint("red", "No endpoint may serve the request.")
    : renderTable(
        ["", "tried", "provider", "USD, about", "why it is not earlier"],
        ordered.map((candidate, index) => [
          String(index + 1),
          nameCandidate(candidate),
          candidate.provider,
          toUsd(candidate.estimated_cost),
          describeCandidate(candidate)
        ]),
        5
      ),
  ...(rejected.length === 0
    ? []
    : [
        "",
        renderTable(
          ["not tried", "rule", "of", "wanted", "found"],
          rejected.flatMap((candidate) =>
            candidate.reasons.map(({ found, rule, source, wanted }, index) => [
              index === 0 ? nameCandidate(candidate) : "",
              rule,
              source,
              wanted,
              found
            ])
          ),
          5
        )
      ]),
  ...(relax.length === 0
    ? []
    : [
        "",
        paint(
          "yellow",
          escapeControls(
            `An endpoint would be left without ${relax.map(({ rule, source, wanted }) => `${rule} of the ${source} (${wanted})`).join(" and ")}.`
          )
        )
      ])
]

const describeAffinity = ({ by, did }: NonNullable<ReportPlan["affinity"]>): string => {
  switch (did) {
    case "placed":
      return `The conversation, known by its ${by}, begins at the first endpoint and stays there.`
    case "kept":
      return `The conversation, known by its ${by}, stays where its last answer came from.`
    case "moved":
      return `The conversation, known by its ${by}, leaves its endpoint, which is unavailable or busy.`
    case "off":
      return "The request stays with no endpoint, and follows the strategy alone."
  }
}

const nameCandidate = ({
  credential,
  endpoint
}: {
  readonly endpoint: string
  readonly credential?: string
}): string => (credential === undefined ? endpoint : `${endpoint}, own credential ${credential}`)

const describeCandidate = ({ demoted = [], dropped = [], last_resort }: Ordered): string =>
  [
    ...demoted.map(describeReason),
    ...(dropped.length === 0 ? [] : [`is not sent ${dropped.join(", ")}`]),
    ...(last_resort === true ? ["its breaker is open, but nothing else is left"] : [])
  ].join("; ")

const describeReason = ({ found, rule, wanted }: Reason): string =>
  `${rule}: wanted ${wanted}, found ${found}`

const usdFormat = new Intl.NumberFormat("en-US", {
  maximumSignificantDigits: 3,
  useGrouping: false
})

const toUsd = (usd: number | undefined): string =>
  usd === undefined ? "unknown" : usdFormat.format(usd)
