/** The settings of work that outlives its request: webhooks, videos and interns. */
import * as Schema from "effect/Schema"
import { bytes, count, Hostname, millis, setting, Switch, wholeNumber } from "./settingSchemas.ts"

export const jobSettings = {
  Webhooks: {
    webhookTimeoutMillis: millis(15_000, "One attempt, including the DNS lookup."),
    // 5 s, 5 min, 30 min, then 2, 5, 10, 14, 20 and 24 h: 75.6 hours in all.
    webhookRetryMillis: setting(
      Schema.Array(wholeNumber("milliseconds")).annotate({ message: "must be a list" }),
      [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
        (seconds) => seconds * 1_000
      ),
      "Delay before each retry, with random jitter of up to 20%."
    ),
    webhookOverloadBackoffMillis: millis(60_000, "Shortest delay after 429, 502 or 504."),
    maxWebhookRetryAfterMillis: millis(
      86_400_000,
      "Longest `Retry-After` of a receiver that is honored."
    ),
    webhookConcurrency: count(32, "Concurrent attempts of one process.", { minimum: 4 }),
    webhookTestsPerMinute: count(10, "Test events that an account may send in a minute."),
    maxDeliveries: count(10_000, "Finished deliveries in memory."),
    deliveryRetentionMillis: millis(2_592_000_000, "How long a finished delivery is kept.")
  },
  Videos: {
    videoTimeoutMillis: millis(
      86_400_000,
      "Time after which an unfinished job is stopped at its provider, `expired`, and charged unless that has stopped it."
    ),
    videoPollMillis: millis(
      10_000,
      "Shortest time between two polls of a job; an upstream of your own may state another."
    ),
    maxVideoPollMillis: millis(300_000, "Longest time between two polls while they keep failing."),
    videoSweepMillis: millis(1_000, "Time between two searches for due jobs."),
    videoConcurrency: count(32, "Jobs that one process polls concurrently."),
    videoReservationLeaseMillis: millis(
      172_800_000,
      "Time after which the reservation of a job that no process handles is charged."
    ),
    videoContentRetentionMillis: millis(
      86_400_000,
      "How long the files of a finished job can be downloaded."
    ),
    maxVideoFileBytes: bytes(1_073_741_824, "Largest file that `Options.videoFiles` stores."),
    maxVideoFileBytesPerAccount: bytes(
      10_737_418_240,
      "All files that `Options.videoFiles` stores for one account."
    ),
    maxActiveVideoJobs: count(100, "Unfinished jobs of one account."),
    maxVideoJobs: count(10_000, "Finished jobs in memory."),
    videoJobRetentionMillis: millis(
      2_592_000_000,
      "How long a finished job and its `Idempotency-Key` are kept."
    )
  },
  Interns: {
    internPrepareTimeoutMillis: millis(15_000, "Preparing a new intern while its creator waits."),
    internCreateTimeoutMillis: millis(
      30_000,
      "How long a create request waits for an identical one in progress."
    ),
    internIdempotencyKeyRetentionMillis: millis(
      86_400_000,
      "How long the `Idempotency-Key` of a create request is kept."
    ),
    internStepTimeoutMillis: millis(300_000, "One step of an intern host."),
    internRequestTimeoutMillis: millis(60_000, "One intern or vault request, including its body."),
    internChatTimeoutMillis: millis(300_000, "One turn of an intern."),
    internWorkspaceFromKey: setting(
      Switch,
      false,
      "Whether a create request without `workspace_id` uses the workspace of the key instead of failing with 400."
    ),
    regionalHostnames: setting(
      Schema.Array(Hostname).annotate({ message: "must be a list" }),
      [],
      "Hostnames on which intern requests are rejected with 403."
    )
  }
}
