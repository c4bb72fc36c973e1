/** The settings of a process: its storage and addresses, its queue of durable jobs, and what it records. */
import * as Schema from "effect/Schema"
import { maxTags } from "../../values/Tags.ts"
import {
  bytes,
  characters,
  count,
  HeaderName,
  millis,
  PairDimensionName,
  PublicUrl,
  setting,
  Switch,
  TagName
} from "./settingSchemas.ts"

export const processSettings = {
  "Process, storage and addresses": {
    publicUrl: setting(
      PublicUrl,
      undefined,
      "Public URL before the mount, such as `https://ai.example.com`. Without it, links are paths."
    ),
    drainTimeoutMillis: millis(10_000, "How long `close()` waits for running requests."),
    maxResponseCacheBytes: bytes(
      67_108_864,
      "Stored answers of a workspace; in memory also those of all workspaces together."
    ),
    maxCachedAnswerBytes: bytes(1_048_576, "The largest answer that is stored for later requests."),
    responseCacheWaitMillis: millis(
      30_000,
      "How long a request that uses the cache waits for the call of another one that is the same; then it makes its own."
    ),
    semanticCacheTimeoutMillis: millis(
      1_000,
      "One call of `responseCache.semantic`; then the request goes on without it."
    ),
    storeTimeoutMillis: millis(10_000, "One operation of a store, or one transaction."),
    maxGenerations: count(10_000, "Generation records in memory, over all accounts."),
    maxFailedRequests: count(
      5_000,
      "Requests that failed before they were routed, in memory, over all accounts."
    ),
    maxFailedRequestsPerAccount: count(
      1_000,
      "Requests that failed before they were routed, in a database, per account; those without a valid key count as one account."
    ),
    maxUnauthenticatedFailuresPerMinute: count(
      60,
      "Failed requests without a valid key that a process records per minute."
    ),
    maxAuditEntriesPerAccount: count(1_000, "Audit entries in memory, per account."),
    sessionIdHeaders: setting(
      Schema.Array(HeaderName).annotate({ message: "must be a list" }),
      [],
      "Headers of clients, such as `x-acme-session-id`, that name the session of a chat without `session_id`."
    ),
    sendTraceparent: setting(
      Switch,
      true,
      "Whether provider calls carry `traceparent` of their attempt's span, if a tracer exports it"
    ),
    allowPrivateNetworks: setting(
      Switch,
      false,
      "Whether webhook and media URLs may lead into private networks, for tests and development."
    )
  },
  "Durable jobs": {
    jobLeaseMillis: millis(15_000, "How long a process owns a step without renewing its lease."),
    jobLeaseRefreshMillis: millis(5_000, "Time between two renewals of the lease of a step."),
    jobPollMillis: millis(1_000, "Time between two polls for steps of other processes."),
    jobMaintenanceMillis: millis(60_000, "Time between two sweeps of expired steps."),
    maxJobSteps: count(10_000, "Finished steps in memory, and equally many dead-lettered ones."),
    jobStepRetentionMillis: millis(
      3_600_000,
      "How long a finished step is kept, so that its key does not run again."
    ),
    deadLetterRetentionMillis: millis(2_592_000_000, "How long a dead-lettered step is kept.")
  },
  Observability: {
    recordDelayMillis: millis(
      5,
      "How long records wait for those of other requests before they are stored, counted and broadcast; with 0, and with `batchIntervalMillis` 0 of a database, each request waits for its own.",
      { minimum: 0, maximum: 1_000 }
    ),
    maxQueuedBroadcasts: count(
      1_000,
      "Generations in the queue of one destination, of the I/O log, or of kept content."
    ),
    broadcastTimeoutMillis: millis(10_000, "One call of a destination."),
    maxIoLogQueueBytes: bytes(
      67_108_864,
      "Inputs and outputs in the queue of the I/O log, and equally many in that of kept content."
    ),
    maxIoLogStreamCharacters: characters(
      1_048_576,
      "Characters of a streamed answer for the I/O log and for kept content."
    ),
    keptContentRetentionMillis: millis(2_592_000_000, "How long prompts and answers are kept."),
    maxKeptContentBytes: bytes(
      1_048_576,
      "The prompt and the answer of one request, without inline media; larger ones are not kept."
    ),
    maxKeptContents: count(
      1_000,
      "Requests whose prompts and answers are kept in memory, over all accounts."
    ),
    maxKeptContentsPerAccount: count(
      100_000,
      "Requests whose prompts and answers are kept in a database, per account; the oldest go first."
    ),
    feedbackRetentionMillis: millis(7_776_000_000, "How long feedback is kept."),
    maxFeedback: count(10_000, "Feedback in memory, over all accounts; the oldest goes first."),
    maxRollupValues: count(
      200,
      "Values of a dimension that a bucket of rollups keeps apart once it has ended; the rest is added up."
    ),
    rollupPairs: setting(
      Schema.Array(PairDimensionName).annotate({ message: "must be a list" }),
      ["workspace,model", "user,model"],
      "Pairs whose combinations rollups keep, such as `tag:customer,model`: a workspace, key, user, external_user or tag, by model."
    ),
    maxRollupPairs: count(
      1_000,
      "Combinations of a pair that a bucket of rollups keeps apart once it has ended; the rest is added up."
    ),
    maxRollupTags: count(
      32,
      "Names of tags that a bucket of rollups keeps; it has no figures of further ones."
    ),
    traceTags: setting(
      Schema.Array(TagName)
        .annotate({ message: "must be a list of up to 8 names" })
        .check(Schema.isMaxLength(maxTags, { message: "must have at most 8 names" })),
      [],
      "Keys of `trace` in requests, such as `feature`, whose values become tags of the request where the caller has no such tag."
    ),
    maxMemoryRollupValues: count(
      100_000,
      "Values that rollups keep in memory, over all accounts and buckets; the oldest buckets go first."
    ),
    rollupMinuteRetentionMillis: millis(172_800_000, "How long rollups by minute are kept."),
    rollupHourRetentionMillis: millis(7_776_000_000, "How long rollups by hour are kept."),
    rollupDayRetentionMillis: millis(63_072_000_000, "How long rollups by day are kept.")
  },
  Alerts: {
    alertDelayMillis: millis(
      5_000,
      "How long spending waits for more of it before the thresholds of its limits are checked."
    ),
    alertHealthMillis: millis(15_000, "Time between two looks at the health of providers."),
    alertRetentionMillis: millis(2_592_000_000, "How long an alert is kept."),
    maxAlerts: count(10_000, "Alerts in memory, over all accounts.")
  }
}
