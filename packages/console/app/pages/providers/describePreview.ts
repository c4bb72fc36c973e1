/** Says in a sentence what a traffic control would have done. */
import type { OperationResponse } from "@signalbox/core/contract"
import { formatCount, formatMillis } from "../../format/format.ts"

export type ControlPreview = OperationResponse<"traffic.previewControl">["data"]

/** Such as "Three models lose all endpoints, +12 % cost". */
export const describePreview = (preview: ControlPreview): string => {
  const { lost_model_count: lost, requests } = preview
  const models =
    lost === 0
      ? "No model loses all endpoints"
      : `${formatCount(lost)} ${lost === 1 ? "model loses" : "models lose"} all endpoints`
  return requests === 0
    ? `${models}. There was no traffic in the last hour.`
    : `${[models, ...describeOthers(preview)].join(", ")}.`
}

const describeOthers = ({
  after,
  before,
  cost_change: cost,
  lost_requests: lost,
  requests
}: ControlPreview): ReadonlyArray<string> => {
  const refused = `${formatCount(lost)} of ${formatCount(requests)} requests have nowhere to go`
  const millis =
    after?.latency == null || before?.latency == null
      ? undefined
      : after.latency.p95 - before.latency.p95
  return [
    ...(lost === 0 ? [] : [refused]),
    cost === null ? "cost unknown" : `${formatSigned(cost * 100)} % cost`,
    ...(millis === undefined
      ? []
      : [`p95 ${millis < 0 ? "−" : "+"}${formatMillis(Math.abs(Math.round(millis)))}`])
  ]
}

const formatSigned = (value: number): string => {
  const rounded = Math.round(value)
  return `${rounded < 0 ? "−" : "+"}${formatCount(Math.abs(rounded))}`
}
