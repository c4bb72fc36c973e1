/** What may follow on each status of an intern: the one place that says so. Source: semantics D1. */
import type { InternStatus } from "./InternStatus.ts"

/**
 * What happens to an intern. `provision`, `suspend` and `delete` are asked for; `begin`, `succeed`, `fail` and
 * `destroyFail` come of the work that follows.
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

/** Undefined: that cannot happen to an intern of this status. */
export const findNextStatus = (from: InternStatus, event: InternEvent): InternStatus | undefined =>
  transitions[from][event]

/** How a new one stands. */
export const toInitialStatus = (
  provisions: boolean,
  { needsSlackInstall = false }: { readonly needsSlackInstall?: boolean }
): InternStatus => {
  if (provisions) return "queued"
  return needsSlackInstall ? "awaiting_slack_install" : "stopped"
}

/** Nothing but its end is to come of it. */
export const isDeleting = ({ status }: { readonly status: InternStatus }): boolean =>
  status === "destroying" || status === "destroy_failed"
