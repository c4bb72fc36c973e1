/** The points in the life of a video job at which tests kill the process that works on it. */
import type { CrashPoint } from "./CrashPoint.ts"
import { getProperty } from "../support/getProperty.ts"

export type VideoVerb =
  | "Transaction.withTransaction"
  | "BlobStore.put"
  | "BlobStore.write"
  | "DeliveryStore.add"
  | "DeliveryStore.replace"
  | "GenerationStore.record"
  | "JobStore.offer"
  | "LedgerStore.reserve"
  | "LedgerStore.settle"
  | "SpendCounters.record"
  | "VideoStore.add"
  | "VideoStore.claim"
  | "VideoStore.replace"
  | "upstream.content"
  | "upstream.poll"
  | "upstream.submit"

const onTaskOffered =
  (kind: string) =>
  ([step]: ReadonlyArray<unknown>): boolean =>
    getProperty(step, "name") === kind
/** Matches a write of a job that satisfies the predicate. */
const onJobWritten =
  (is: (after: unknown) => boolean) =>
  ([, after]: ReadonlyArray<unknown>): boolean =>
    is(after)
const hasStatus =
  (status: string) =>
  (value: unknown): boolean =>
    getProperty(value, "status") === status
const isPolling = onJobWritten((after) => getProperty(after, "submittingTo") !== undefined)
const isAssigned = onJobWritten(
  (after) => getProperty(after, "assignment") !== undefined && hasStatus("pending")(after)
)
const isStored = onJobWritten(
  (after) => getProperty(getProperty(after, "end"), "storedFiles") !== undefined
)
const isCompleted = onJobWritten(hasStatus("completed"))
const isDelivered = onJobWritten((after) => getProperty(after, "state") === "delivered")

export const videoCrashPoints: ReadonlyArray<CrashPoint<VideoVerb>> = [
  { name: "before the job is inserted", verb: "VideoStore.add", when: "before" },
  { name: "after its cost is reserved", verb: "LedgerStore.reserve", when: "after" },
  {
    name: "after its first step is enqueued",
    verb: "JobStore.offer",
    when: "after",
    matches: onTaskOffered("video.submit")
  },
  {
    name: "after it is accepted, before the response",
    verb: "Transaction.withTransaction",
    when: "after",
    precededBy: [{ verb: "JobStore.offer", matches: onTaskOffered("video.submit") }]
  },
  {
    name: "before its provider is recorded",
    verb: "VideoStore.replace",
    when: "before",
    matches: isPolling
  },
  {
    name: "after its provider is recorded",
    verb: "VideoStore.replace",
    when: "after",
    matches: isPolling
  },
  { name: "after the provider has accepted it", verb: "upstream.submit", when: "after" },
  {
    name: "after the provider's acceptance is recorded",
    verb: "VideoStore.replace",
    when: "after",
    matches: isAssigned
  },
  {
    name: "after it is claimed for a poll",
    verb: "VideoStore.claim",
    when: "after",
    matches: (_, claimed) => Array.isArray(claimed) && claimed.length > 0
  },
  { name: "after a poll is answered", verb: "upstream.poll", when: "after" },
  {
    name: "after its progress is recorded",
    verb: "VideoStore.replace",
    when: "after",
    matches: onJobWritten(hasStatus("in_progress"))
  },
  {
    name: "after the provider reports its completion",
    verb: "upstream.poll",
    when: "after",
    matches: (_, report) => hasStatus("completed")(report)
  },
  {
    name: "after its end is written, before the commit",
    verb: "VideoStore.replace",
    when: "after",
    matches: isCompleted
  },
  {
    name: "after its cost is settled, before the commit",
    verb: "LedgerStore.settle",
    when: "after"
  },
  { name: "after its spending is counted", verb: "SpendCounters.record", when: "after" },
  { name: "after its event is written", verb: "DeliveryStore.add", when: "after" },
  {
    name: "after its delivery is enqueued",
    verb: "JobStore.offer",
    when: "after",
    matches: onTaskOffered("webhook.delivery")
  },
  { name: "after its generation is recorded", verb: "GenerationStore.record", when: "after" },
  {
    name: "after its end is committed",
    verb: "Transaction.withTransaction",
    when: "after",
    precededBy: [{ verb: "GenerationStore.record" }]
  },
  { name: "after its download has started", verb: "upstream.content", when: "after" },
  {
    name: "after its file is written under a temporary name",
    verb: "BlobStore.write",
    when: "after"
  },
  {
    name: "after its file is stored, before that is recorded",
    verb: "BlobStore.put",
    when: "after"
  },
  {
    name: "after the storage of its file is recorded",
    verb: "VideoStore.replace",
    when: "after",
    matches: isStored
  },
  {
    name: "after the receiver has accepted its event, before that is recorded",
    verb: "DeliveryStore.replace",
    when: "before",
    matches: isDelivered
  },
  {
    name: "after the delivery of its event is written, before the commit",
    verb: "DeliveryStore.replace",
    when: "after",
    matches: isDelivered
  },
  {
    name: "after the delivery of its event is committed",
    verb: "Transaction.withTransaction",
    when: "after",
    precededBy: [{ verb: "DeliveryStore.replace", matches: isDelivered }]
  }
]
