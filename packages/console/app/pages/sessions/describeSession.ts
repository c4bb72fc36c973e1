/** What a session came to, as one sentence. Pure. */
import type { OperationResponse } from "@signalbox/core/contract"
import { formatCount, formatMoney, formatSpan } from "../../format/format.ts"

export type SessionSummary = OperationResponse<"sessions.list">["data"][number]

/** "12 requests in 4 min 10 s, 1 of them failed: $0.0123 and 3,400 tokens, by demo/model, for ada." */
export const describeSession = (session: SessionSummary): string => {
  const { failed_requests: failed, requests } = session
  const time = requests === 1 ? "" : ` in ${formatSpan(toDuration(session))}`
  const failures =
    failed === 0
      ? ""
      : failed === requests
        ? `, ${requests === 1 ? "which" : "all of which"} failed`
        : `, ${formatCount(failed)} of them failed`
  const models = joinNames(session.models, session.model_count)
  const users = joinNames(...pickUsers(session))
  return [
    `${formatCount(requests)} ${requests === 1 ? "request" : "requests"}${time}${failures}: ${formatMoney(session.cost)} and ${formatCount(session.tokens)} tokens`,
    `by ${models}`,
    ...(users === "" ? [] : [`for ${users}`])
  ]
    .join(", ")
    .concat(".")
}

/** Milliseconds from the first request to the last. */
export const toDuration = (
  session: Pick<SessionSummary, "first_request_at" | "last_request_at">
): number => Date.parse(session.last_request_at) - Date.parse(session.first_request_at)

/** The acting users; where there are none, those that the requests named. */
export const pickUsers = (
  session: Pick<SessionSummary, "external_user_count" | "external_users" | "user_count" | "users">
): readonly [names: ReadonlyArray<string>, count: number] =>
  session.user_count > 0
    ? [session.users, session.user_count]
    : [session.external_users, session.external_user_count]

/** The first two names, and how many others there are. */
export const joinNames = (names: ReadonlyArray<string>, count: number): string => {
  const shown = names.slice(0, count > 3 ? 2 : 3)
  const others = count - shown.length
  const words = others > 0 ? [...shown, `${formatCount(others)} others`] : shown
  const last = words.at(-1) ?? ""
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`
}
