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

/**
 * Events of an intern. Callers request `provision`, `suspend` and `delete`; the worker causes `begin`, `succeed`,
 * `fail` and `destroyFail`.
 */
export const internEvents = [
  "provision",
  "begin",
  "succeed",
  "fail",
  "suspend",
  "delete",
  "destroyFail"
] as const
export type InternEvent = (typeof internEvents)[number]

type NextStatuses = Readonly<Partial<Record<InternEvent, InternStatus>>>

const transitions: Readonly<Record<InternStatus, NextStatuses>> = {
  awaiting_slack_install: { provision: "queued", delete: "destroying" },
  stopped: { provision: "queued", delete: "destroying" },
  failed: { provision: "queued", delete: "destroying" },
  queued: { begin: "provisioning", fail: "failed", delete: "destroying" },
  provisioning: { succeed: "running", fail: "failed", delete: "destroying" },
  running: { suspend: "stopped", delete: "destroying" },
  destroying: { destroyFail: "destroy_failed" },
  destroy_failed: { delete: "destroying" }
}

/** Undefined when the status does not allow the event. */
export const findNextStatus = (from: InternStatus, event: InternEvent): InternStatus | undefined =>
  transitions[from][event]

/** The status of a new intern. */
export const toInitialStatus = (
  provisions: boolean,
  { needsSlackInstall = false }: { readonly needsSlackInstall?: boolean }
): InternStatus => {
  if (provisions) return "queued"
  return needsSlackInstall ? "awaiting_slack_install" : "stopped"
}

export const isDeleting = ({ status }: { readonly status: InternStatus }): boolean =>
  status === "destroying" || status === "destroy_failed"
