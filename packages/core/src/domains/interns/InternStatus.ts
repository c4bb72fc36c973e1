/** The statuses of an intern in the HTTP API. */
import * as Schema from "effect/Schema"

/** Where an intern is in its lifecycle. */
export const InternStatus = Schema.Literals([
  "awaiting_slack_install",
  "queued",
  "provisioning",
  "running",
  "failed",
  "stopped",
  "destroying",
  "destroy_failed"
])
export type InternStatus = typeof InternStatus.Type
