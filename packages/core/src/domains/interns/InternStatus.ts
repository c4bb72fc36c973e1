/** The statuses of an intern in the HTTP API. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import type { Caller } from "../../tenants/auth/Caller.ts"

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

/** The id of an intern: `intern_` and 20 lower-case letters and digits. */
export const InternId = Schema.String.check(
  Schema.isPattern(/^intern_[0-9a-z]{20}$/, { expected: "the id of an intern" })
).pipe(Schema.brand("InternId"))
export type InternId = typeof InternId.Type

export const is = Schema.is(InternId)

/** Lower case, because hostnames ignore case. */
const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"

/** 103 bits. */
export const next: Effect.Effect<InternId> = Effect.map(
  Effect.all(Array.from({ length: 20 }, () => Random.next)),
  (numbers) =>
    InternId.make(
      `intern_${numbers.map((number) => alphabet[Math.floor(number * alphabet.length)]).join("")}`
    )
)

/** The 20 characters of the id that go into a hostname. */
export const toHostnameSuffix = (id: InternId): string => id.slice("intern_".length)

/** Provided by the host; false answers every path of interns with 404. */
export type EligibilityRule = (caller: Caller) => boolean | Promise<boolean>

/** The eligibility rule of the host. */
export class InternEligibility extends Context.Service<InternEligibility, EligibilityRule>()(
  "@signalbox/core/interns/InternEligibility"
) {}
