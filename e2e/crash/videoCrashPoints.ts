/** The moments in the life of a video job at which proofs kill the process that works on it. */
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
/** The job that is written says so. */
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
  { name: "before a job is written", verb: "VideoStore.add", when: "before" },
  { name: "when its money is set aside", verb: "LedgerStore.reserve", when: "after" },
  {
    name: "when its first step is offered",
    verb: "JobStore.offer",
    when: "after",
    matches: onTaskOffered("video.submit")
  },
  {
    name: "when it is accepted, before the response",
    verb: "Transaction.withTransaction",
    when: "after",
    precededBy: [{ verb: "JobStore.offer", matches: onTaskOffered("video.submit") }]
  },
  {
    name: "before it is written down whom it is taken to",
    verb: "VideoStore.replace",
    when: "before",
    matches: isPolling
  },
  {
    name: "when it is written down whom it is taken to",
    verb: "VideoStore.replace",
    when: "after",
    matches: isPolling
  },
  { name: "when the provider has accepted it", verb: "upstream.submit", when: "after" },
  {
    name: "when it is written down that the provider has accepted it",
    verb: "VideoStore.replace",
    when: "after",
    matches: isAssigned
  },
  {
    name: "when it is claimed for a poll",
    verb: "VideoStore.claim",
    when: "after",
    matches: (_, claimed) => Array.isArray(claimed) && claimed.length > 0
  },
  { name: "when a poll was answered", verb: "upstream.poll", when: "after" },
  {
    name: "when it is written down how it stands",
    verb: "VideoStore.replace",
    when: "after",
    matches: onJobWritten(hasStatus("in_progress"))
  },
  {
    name: "when the provider says that it is completed",
    verb: "upstream.poll",
    when: "after",
    matches: (_, report) => hasStatus("completed")(report)
  },
  {
    name: "when its end is written, and not kept",
    verb: "VideoStore.replace",
    when: "after",
    matches: isCompleted
  },
  { name: "when it is paid for, and that is not kept", verb: "LedgerStore.settle", when: "after" },
  { name: "when its spending is counted", verb: "SpendCounters.record", when: "after" },
  { name: "when its event is written", verb: "DeliveryStore.add", when: "after" },
  {
    name: "when its delivery is offered",
    verb: "JobStore.offer",
    when: "after",
    matches: onTaskOffered("webhook.delivery")
  },
  { name: "when it is recorded", verb: "GenerationStore.record", when: "after" },
  {
    name: "when its end is kept",
    verb: "Transaction.withTransaction",
    when: "after",
    precededBy: [{ verb: "GenerationStore.record" }]
  },
  { name: "when its file is on its way", verb: "upstream.content", when: "after" },
  { name: "when its file is half kept", verb: "BlobStore.write", when: "after" },
  {
    name: "when its file is stored, before that is recorded",
    verb: "BlobStore.put",
    when: "after"
  },
  {
    name: "when it is written down that its file is kept",
    verb: "VideoStore.replace",
    when: "after",
    matches: isStored
  },
  {
    name: "when its receiver has accepted the event, before that is recorded",
    verb: "DeliveryStore.replace",
    when: "before",
    matches: isDelivered
  },
  {
    name: "when it is written that its event was taken, and not kept",
    verb: "DeliveryStore.replace",
    when: "after",
    matches: isDelivered
  },
  {
    name: "when it is kept that its event was taken",
    verb: "Transaction.withTransaction",
    when: "after",
    precededBy: [{ verb: "DeliveryStore.replace", matches: isDelivered }]
  }
]
