/** The points in the life of an intern at which tests kill the process that works on it. */
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
  /** Whether the caller retries only once the intern runs; default: immediately. */
  readonly isLeft?: true
  /** Default: both. Points inside one transaction are spread over the databases, as each rolls all of it back. */
  readonly on?: "sqlite" | "postgres"
}

type PrecedingCalls = NonNullable<InternCrashPoint["precededBy"]>[number]

const inTransaction = "Transaction.withTransaction"

/** Matches the enqueueing of this task. */
const onTaskOffered = (task: string): PrecedingCalls => ({
  verb: "JobStore.offer",
  matches: ([step]) => String(getProperty(step, "id")).endsWith(`-${task}`)
})
/** Matches a write of an intern that satisfies the predicate. */
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
 * The intern is created and provisioned (run 1), suspended (2), provisioned with a failure (3) and destroyed (4).
 */
export const internCrashPoints: ReadonlyArray<InternCrashPoint> = [
  { name: "before the intern is inserted", verb: "InternStore.add", when: "before", on: "sqlite" },
  {
    name: "after the intern is inserted, before its vault",
    verb: "InternStore.add",
    when: "after",
    on: "postgres"
  },
  { name: "after its vault is opened", verb: "VaultStore.open", when: "after", on: "sqlite" },
  {
    name: "after its set-up is enqueued",
    when: "after",
    ...onTaskOffered("0-set_up-0"),
    on: "postgres"
  },
  {
    name: "after its creation is committed, before the response",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("0-set_up-0")]
  },
  {
    name: "after its creation is committed, without a retry",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("0-set_up-0")],
    isLeft: true
  },
  {
    name: "after a request has claimed it for its set-up",
    when: "after",
    ...onInternWritten((after) => !isReady(after) && isClaimed(after))
  },
  {
    name: "after its host is prepared, before that is recorded",
    verb: "host.prepare",
    when: "after"
  },
  {
    name: "after its set-up is written, before the commit",
    when: "after",
    ...onInternWritten(duringRun(1, hasStatus("queued"))),
    on: "sqlite"
  },
  {
    name: "after its first step is enqueued",
    when: "after",
    ...onTaskOffered("1-step-0"),
    on: "postgres"
  },
  {
    name: "after its provisioning is committed, before the response",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("1-step-0")]
  },
  { name: "after its first step is claimed", when: "after", ...hasBegun },
  {
    name: "after its first step, before that is recorded",
    verb: "host.step 0",
    when: "after"
  },
  {
    name: "after its first step is written, before the commit",
    when: "after",
    ...onInternWritten(duringRun(1, hasCompletedSteps(1))),
    on: "sqlite"
  },
  {
    name: "after its second step is enqueued",
    when: "after",
    ...onTaskOffered("1-step-1"),
    on: "postgres"
  },
  {
    name: "after its first step is committed",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("1-step-1")]
  },
  {
    name: "after its second step, before that is recorded",
    verb: "host.step 1",
    when: "after"
  },
  { name: "after its running status is written, before the commit", when: "after", ...isRunning },
  {
    name: "after its running status is committed",
    verb: inTransaction,
    when: "after",
    precededBy: [isRunning]
  },
  {
    name: "after its suspension is written, before the commit",
    when: "after",
    ...onInternWritten(duringRun(2, hasStatus("stopped")))
  },
  {
    name: "after its suspension is committed, before the response",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("2-suspend-0")]
  },
  {
    name: "after its host has suspended it, before that is recorded",
    verb: "host.suspend",
    when: "after"
  },
  {
    name: "after the host's suspension is written",
    when: "after",
    ...onInternWritten(duringRun(2, hasCompletedSteps(1)))
  },
  {
    name: "after its second provisioning is committed, before the response",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("3-step-0")]
  },
  {
    name: "after the failure of a step is written, before the commit",
    when: "after",
    ...onInternWritten(duringRun(3, isUndone(2)))
  },
  {
    name: "after the failure of a step is committed",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("3-undo-1")]
  },
  {
    name: "after its last step is undone, before that is recorded",
    verb: "host.undo 1",
    when: "after"
  },
  {
    name: "after the undoing of its last step is written, before the commit",
    when: "after",
    ...onInternWritten(duringRun(3, isUndone(1)))
  },
  {
    name: "after all steps are undone, before that is recorded",
    verb: "host.undo 0",
    when: "after"
  },
  {
    name: "after its failed status is written, before the commit",
    when: "after",
    ...onInternWritten(duringRun(3, hasStatus("failed")))
  },
  {
    name: "after its deletion is written, before the commit",
    when: "after",
    ...onInternWritten(duringRun(4, hasStatus("destroying")))
  },
  {
    name: "after its deletion is committed, before the response",
    verb: inTransaction,
    when: "after",
    precededBy: [onTaskOffered("4-archive-0")]
  },
  {
    name: "after its work is archived, before that is recorded",
    verb: "host.archive",
    when: "after"
  },
  {
    name: "after the archiving is written, before the commit",
    when: "after",
    ...onTaskOffered("4-destroy-0")
  },
  {
    name: "after its host has destroyed it, before that is recorded",
    verb: "host.destroy",
    when: "after"
  },
  {
    name: "after its row is removed, before its vault",
    verb: "InternStore.remove",
    when: "after",
    on: "sqlite"
  },
  {
    name: "after its vault is closed, before the commit",
    when: "after",
    ...isGone,
    on: "postgres"
  },
  {
    name: "after its removal is committed",
    verb: inTransaction,
    when: "after",
    // The first transaction to end is the nested one of the audit log.
    precededBy: [isGone, { verb: inTransaction }]
  }
]
