/** The moments in the life of an intern at which proofs kill the process that works on it. */
import type { InternCall } from "@signalbox/testing"
import type { CrashPoint } from "./CrashPoint.ts"
import { getProperty } from "../support/getProperty.ts"

export type InternVerb =
  | "Transaction.withTransaction"
  | "InternStore.add"
  | "InternStore.remove"
  | "InternStore.replace"
  | "JobStore.offer"
  | "VaultStore.close"
  | "VaultStore.open"
  | `host.${InternCall}`

export interface InternCrashPoint extends CrashPoint<InternVerb> {
  /** The caller retries when it runs; otherwise at once. */
  readonly isLeft?: true
  /** Absent: on both. Of several moments inside one transaction each database has its own: none of it is kept. */
  readonly on?: "sqlite" | "postgres"
}

type PrecedingCalls = NonNullable<InternCrashPoint["precededBy"]>[number]

const inTransaction = "Transaction.withTransaction"

/** The offer of this task. */
const onTaskOffered = (task: string): PrecedingCalls => ({
  verb: "JobStore.offer",
  matches: ([step]) => String(getProperty(step, "id")).endsWith(`-${task}`)
})
/** The intern that is written says so. */
const onInternWritten = (is: (after: unknown) => boolean): PrecedingCalls => ({
  verb: "InternStore.replace",
  matches: ([, after]) => is(after)
})
const duringRun =
  (number: number, is: (after: unknown) => boolean = () => true) =>
  (after: unknown): boolean =>
    getProperty(getProperty(after, "run"), "number") === number && is(after)
const hasStatus =
  (status: string) =>
  (after: unknown): boolean =>
    getProperty(after, "status") === status
const hasCompletedSteps =
  (count: number) =>
  (after: unknown): boolean =>
    getProperty(getProperty(after, "run"), "completedSteps") === count
const isReady = (after: unknown): boolean =>
  getProperty(getProperty(after, "creation"), "isReady") === true
const isClaimed = (after: unknown): boolean => getProperty(after, "claim") !== undefined
const isUndone =
  (left: number) =>
  (after: unknown): boolean =>
    getProperty(getProperty(after, "run"), "failure") !== undefined &&
    hasCompletedSteps(left)(after)

const hasBegun = onInternWritten(duringRun(1, hasStatus("provisioning")))
const isRunning = onInternWritten(duringRun(1, hasStatus("running")))
const isGone: PrecedingCalls = { verb: "VaultStore.close" }

/**
 * It is created and provisioned, suspended, provisioned in vain, and destroyed: the runs 1 to 4.
 */
export const internCrashPoints: ReadonlyArray<InternCrashPoint> = [
  { name: "before an intern is written", verb: "InternStore.add", when: "before", on: "sqlite" },
  {
    name: "when it is written without its vault",
    verb: "InternStore.add",
    when: "after",
    on: "postgres"
  },
  { name: "when its vault is open", verb: "VaultStore.open", when: "after", on: "sqlite" },
  {
    name: "when its set-up is offered",
    when: "after",
    ...onTaskOffered("0-set_up-0"),
    on: "postgres"
  },
  {
    name: "when it is created, before the response",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("0-set_up-0")]
  },
  {
    name: "when it is created, without a retry",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("0-set_up-0")],
    isLeft: true
  },
  {
    name: "when a request has claimed it for its set-up",
    when: "after",
    ...onInternWritten((after) => !isReady(after) && isClaimed(after))
  },
  {
    name: "when its host is prepared, before that is recorded",
    verb: "host.prepare",
    when: "after"
  },
  {
    name: "when it is written that it is set up, and not kept",
    when: "after",
    ...onInternWritten(duringRun(1, hasStatus("queued"))),
    on: "sqlite"
  },
  {
    name: "when its first step is offered",
    when: "after",
    ...onTaskOffered("1-step-0"),
    on: "postgres"
  },
  {
    name: "when it is queued, before the response",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("1-step-0")]
  },
  { name: "when its first step is claimed", when: "after", ...hasBegun },
  {
    name: "when its first step is done, before that is recorded",
    verb: "host.step 0",
    when: "after"
  },
  {
    name: "when it is written that its first step is done, and not kept",
    when: "after",
    ...onInternWritten(duringRun(1, hasCompletedSteps(1))),
    on: "sqlite"
  },
  {
    name: "when its second step is offered",
    when: "after",
    ...onTaskOffered("1-step-1"),
    on: "postgres"
  },
  {
    name: "when its second step is to follow",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("1-step-1")]
  },
  {
    name: "when its second step is done, before that is recorded",
    verb: "host.step 1",
    when: "after"
  },
  { name: "when it is written that it runs, and not kept", when: "after", ...isRunning },
  { name: "when it runs", verb: inTransaction, when: "after", precededBy: [isRunning] },
  {
    name: "when it is written that it is suspended, and not kept",
    when: "after",
    ...onInternWritten(duringRun(2, hasStatus("stopped")))
  },
  {
    name: "when it is suspended, before the response",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("2-suspend-0")]
  },
  {
    name: "when its host has suspended it, before that is recorded",
    verb: "host.suspend",
    when: "after"
  },
  {
    name: "when it is written that its host has suspended it",
    when: "after",
    ...onInternWritten(duringRun(2, hasCompletedSteps(1)))
  },
  {
    name: "when it is queued again, before the response",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("3-step-0")]
  },
  {
    name: "when it is written that a step has failed, and not kept",
    when: "after",
    ...onInternWritten(duringRun(3, isUndone(2)))
  },
  {
    name: "when what was done is to be undone",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("3-undo-1")]
  },
  {
    name: "when its latest step is undone, before that is recorded",
    verb: "host.undo 1",
    when: "after"
  },
  {
    name: "when it is written that its latest step is undone, and not kept",
    when: "after",
    ...onInternWritten(duringRun(3, isUndone(1)))
  },
  {
    name: "when all steps are undone, before that is recorded",
    verb: "host.undo 0",
    when: "after"
  },
  {
    name: "when it is written that it has failed, and not kept",
    when: "after",
    ...onInternWritten(duringRun(3, hasStatus("failed")))
  },
  {
    name: "when it is written that it is to go, and not kept",
    when: "after",
    ...onInternWritten(duringRun(4, hasStatus("destroying")))
  },
  {
    name: "when it is to be destroyed, before the response",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("4-archive-0")]
  },
  {
    name: "when its work is archived, before that is recorded",
    verb: "host.archive",
    when: "after"
  },
  {
    name: "when it is written that its work is archived, and not kept",
    when: "after",
    ...onTaskOffered("4-destroy-0")
  },
  {
    name: "when its host has destroyed it, before that is recorded",
    verb: "host.destroy",
    when: "after"
  },
  {
    name: "when its row is removed, and its vault there",
    verb: "InternStore.remove",
    when: "after",
    on: "sqlite"
  },
  {
    name: "when its vault is closed, and that is not kept",
    when: "after",
    ...isGone,
    on: "postgres"
  },
  {
    name: "when it is gone",
    verb: inTransaction,
    when: "after",
    // The first one to end is that of the audit log, inside the other.
    precededBy: [isGone, { verb: inTransaction }]
  }
]
