/** The moments in the life of a video job at which proofs kill the process that works on it. */
import type { Moment } from "./Moment.ts"
import { property } from "./property.ts"

export type VideoVerb =
  | "Atomically.atomically"
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

const offered =
  (kind: string) =>
  ([step]: ReadonlyArray<unknown>): boolean =>
    property(step, "name") === kind
/** The job that is written says so. */
const job =
  (is: (after: unknown) => boolean) =>
  ([, after]: ReadonlyArray<unknown>): boolean =>
    is(after)
const says =
  (status: string) =>
  (value: unknown): boolean =>
    property(value, "status") === status
const isAsking = job((after) => property(after, "submittingTo") !== undefined)
const isPlaced = job((after) => property(after, "place") !== undefined && says("pending")(after))
const isKept = job((after) => property(property(after, "end"), "kept") !== undefined)
const isCompleted = job(says("completed"))
const isDelivered = job((after) => property(after, "state") === "delivered")

export const moments: ReadonlyArray<Moment<VideoVerb>> = [
  { name: "before a job is written", verb: "VideoStore.add", when: "before" },
  { name: "when its money is set aside", verb: "LedgerStore.reserve", when: "after" },
  {
    name: "when its first step is offered",
    verb: "JobStore.offer",
    when: "after",
    is: offered("video.submit")
  },
  {
    name: "when it is accepted, and nobody was told",
    verb: "Atomically.atomically",
    when: "after",
    since: [{ verb: "JobStore.offer", is: offered("video.submit") }]
  },
  {
    name: "before it is written down whom it is taken to",
    verb: "VideoStore.replace",
    when: "before",
    is: isAsking
  },
  {
    name: "when it is written down whom it is taken to",
    verb: "VideoStore.replace",
    when: "after",
    is: isAsking
  },
  { name: "when the provider has accepted it", verb: "upstream.submit", when: "after" },
  {
    name: "when it is written down that the provider has accepted it",
    verb: "VideoStore.replace",
    when: "after",
    is: isPlaced
  },
  {
    name: "when it is claimed for a poll",
    verb: "VideoStore.claim",
    when: "after",
    is: (_, claimed) => Array.isArray(claimed) && claimed.length > 0
  },
  { name: "when a poll was answered", verb: "upstream.poll", when: "after" },
  {
    name: "when it is written down how it stands",
    verb: "VideoStore.replace",
    when: "after",
    is: job(says("in_progress"))
  },
  {
    name: "when the provider says that it is completed",
    verb: "upstream.poll",
    when: "after",
    is: (_, report) => says("completed")(report)
  },
  {
    name: "when its end is written, and not kept",
    verb: "VideoStore.replace",
    when: "after",
    is: isCompleted
  },
  { name: "when it is paid for, and that is not kept", verb: "LedgerStore.settle", when: "after" },
  { name: "when its spending is counted", verb: "SpendCounters.record", when: "after" },
  { name: "when its event is written", verb: "DeliveryStore.add", when: "after" },
  {
    name: "when its delivery is offered",
    verb: "JobStore.offer",
    when: "after",
    is: offered("webhook.delivery")
  },
  { name: "when it is recorded", verb: "GenerationStore.record", when: "after" },
  {
    name: "when its end is kept",
    verb: "Atomically.atomically",
    when: "after",
    since: [{ verb: "GenerationStore.record" }]
  },
  { name: "when its file is on its way", verb: "upstream.content", when: "after" },
  { name: "when its file is half kept", verb: "BlobStore.write", when: "after" },
  { name: "when its file is kept, and nobody knows", verb: "BlobStore.put", when: "after" },
  {
    name: "when it is written down that its file is kept",
    verb: "VideoStore.replace",
    when: "after",
    is: isKept
  },
  {
    name: "when its receiver has taken the event, and nobody knows",
    verb: "DeliveryStore.replace",
    when: "before",
    is: isDelivered
  },
  {
    name: "when it is written that its event was taken, and not kept",
    verb: "DeliveryStore.replace",
    when: "after",
    is: isDelivered
  },
  {
    name: "when it is kept that its event was taken",
    verb: "Atomically.atomically",
    when: "after",
    since: [{ verb: "DeliveryStore.replace", is: isDelivered }]
  }
]
