/** The two sides of an experiment beside each other. */
import { Money } from "../../components/Money.tsx"
import { Table } from "../../components/Table.tsx"
import {
  formatCount,
  formatMillis,
  formatMoney,
  formatShare,
  unknown
} from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { type Arm, type Experiment, toSuccessShare } from "./Experiment.ts"

interface Side {
  readonly title: string
  readonly model: string
  /** Of the requests that take part or could. */
  readonly share: number
  readonly arm: Arm
}

export const ArmTable = ({ of: experiment }: { readonly of: Experiment }) => (
  <Table<Side>
    caption={`Sides of the experiment with ${experiment.to}`}
    rows={toSides(experiment)}
    toKey={({ title }) => title}
    columns={[
      {
        title: "Side",
        cell: ({ model, title }) => (
          <>
            {title}: <a href={toHash(["requests"], { model, range: "24h" })}>{model}</a>
          </>
        )
      },
      { title: "Share", isNumber: true, cell: ({ share }) => formatShare(share) },
      { title: "Requests", isNumber: true, cell: ({ arm }) => formatCount(arm.requests) },
      {
        title: "Success",
        isNumber: true,
        cell: ({ arm }) => {
          const { errors_interval: interval } = arm
          return interval === null ? (
            unknown
          ) : (
            <span title="95 % interval">
              {formatShare(toSuccessShare(arm))}{" "}
              <span class="muted small">
                {formatShare(1 - interval.high)} to {formatShare(1 - interval.low)}
              </span>
            </span>
          )
        }
      },
      {
        title: "p50",
        isNumber: true,
        cell: ({ arm }) => formatMillis(arm.latency_p50)
      },
      {
        title: "p95",
        isNumber: true,
        cell: ({ arm: { latency_p95: p95, latency_p95_interval: interval } }) =>
          interval === null ? (
            unknown
          ) : (
            <span title="95 % interval">
              {formatMillis(p95)}{" "}
              <span class="muted small">
                {formatMillis(interval.low)} to {formatMillis(interval.high)}
              </span>
            </span>
          )
      },
      { title: "Cost", isNumber: true, cell: ({ arm }) => <Money usd={arm.cost} /> },
      {
        title: "Cost per request",
        isNumber: true,
        cell: ({ arm: { cost_per_request: cost, cost_per_request_interval: interval } }) =>
          interval === null ? (
            <Money usd={cost} />
          ) : (
            <span title="95 % interval">
              <Money usd={cost} />{" "}
              <span class="muted small">
                {formatMoney(interval.low)} to {formatMoney(interval.high)}
              </span>
            </span>
          )
      },
      {
        title: "Feedback",
        cell: ({ arm: { feedback } }) =>
          Object.entries(feedback)
            .map(([category, count]) => `${count} ${category}`)
            .join(", ") || unknown
      }
    ]}
  />
)

const toSides = ({ control, match, mode, share, to, trial }: Experiment): ReadonlyArray<Side> => [
  {
    title: "requested",
    model: match.model,
    share: mode === "canary" ? 1 - share : 1,
    arm: control
  },
  { title: mode === "canary" ? "canary" : "shadow", model: to, share, arm: trial }
]
