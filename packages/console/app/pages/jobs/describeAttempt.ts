/** What came of an attempt to deliver an event, in words. */
import { formatMillis } from "../../format/format.ts"
import type { Delivery } from "./useDeliveryCounts.ts"

export type DeliveryAttempt = NonNullable<Delivery["last_attempt"]>

/** Why there was no response. */
const errors: Readonly<Record<NonNullable<DeliveryAttempt["error"]>, string>> = {
  unsafe_address: "the URL is not allowed for callbacks",
  not_public: "the name resolves to a private address",
  unresolved: "the name does not resolve",
  unreachable: "the receiver cannot be reached",
  timeout: "the receiver did not answer in time",
  secret_unreadable: "a signing secret cannot be unsealed",
  workspace_deleted: "the workspace was deleted",
  internal: "a fault of this service"
}

export const isAttemptGood = ({ status }: DeliveryAttempt): boolean =>
  status !== null && status >= 200 && status < 300

export const describeAttempt = ({
  duration_ms: duration,
  error,
  status
}: Pick<DeliveryAttempt, "duration_ms" | "error" | "status">): string =>
  `${error === null ? `status ${status ?? "unknown"}` : errors[error]} after ${formatMillis(duration)}`
