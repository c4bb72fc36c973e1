/** Says in a sentence what happened: who failed since when, where the traffic went, and who was affected. */
import type { OperationResponse } from "@signalbox/core/contract"
import { formatCount, formatSpan, formatTime } from "../../format/format.ts"

export type Incident = OperationResponse<"incidents.list">["data"][number]

export const describeIncident = (incident: Incident): string =>
  `${incident.provider_name} ${describeTime(incident)}, ${describeImpact(incident.impact)}`

const describeTime = ({ ended_at: end, started_at: start }: Incident): string =>
  end === null
    ? `failing since ${formatTime(start)}`
    : `failed from ${formatTime(start)} for ${formatSpan(Date.parse(end) - Date.parse(start))}`

const describeImpact = (impact: Incident["impact"]): string => {
  if (impact === null) return "its requests are not counted yet"
  const {
    affected_users: users,
    failed_requests: failed,
    is_complete: isComplete,
    moved_to: movedTo
  } = impact
  const names = movedTo.slice(0, 2).map(({ provider }) => provider)
  const others = movedTo.length - names.length
  const targets = [...names, ...(others > 0 ? [`${others} others`] : [])].join(" and ")
  const moved = targets === "" ? "no traffic moved" : `traffic moved to ${targets}`
  const affected = `${count(users, "user")} affected`
  const unanswered = failed === 0 ? "" : ` (${count(failed, "request")} without an answer)`
  return `${moved}, ${isComplete ? "" : "at least "}${affected}${unanswered}`
}

const count = (number: number, noun: string): string =>
  `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`
