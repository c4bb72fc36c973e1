/** Every limit, timeout and interval of the library: one schema with units, bounds, defaults and descriptions. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

interface Bounds {
  readonly minimum?: number
  readonly maximum?: number
}

const wholeNumber = (unit: string, { maximum, minimum = 1 }: Bounds = {}): Schema.Number => {
  const bound =
    maximum === undefined
      ? minimum === 1
        ? "above 0"
        : `of at least ${minimum}`
      : `from ${minimum} to ${maximum}`
  const message = `must be a whole number ${unit === "" ? "" : `of ${unit} `}${bound}`
  const isAllowed = (value: number): boolean =>
    Number.isSafeInteger(value) && value >= minimum && value <= (maximum ?? value)
  return Schema.Number.annotate({ message }).check(
    Schema.makeFilter(isAllowed, { message, minimum, maximum })
  )
}

const setting = <S extends Schema.Constraint & Schema.WithoutConstructorDefault>(
  schema: S,
  value: S["~type.make.in"],
  description: string
): Schema.withConstructorDefault<S> =>
  Schema.withConstructorDefault<S>(Effect.succeed(value))(schema).annotate({ description })

const inUnit =
  (unit: string) =>
  (
    value: number,
    description: string,
    bounds?: Bounds
  ): Schema.withConstructorDefault<Schema.Number> =>
    setting(wholeNumber(unit, bounds), value, description)

const count = inUnit("")
const bytes = inUnit("bytes")
const characters = inUnit("characters")
const millis = inUnit("milliseconds")

/** The sliding windows of health have one counter per second, so they are limited to an hour. */
const hourMillis = 3_600_000

const ratioMessage = "must be above 0 and at most 1"
const shareMessage = "must be a number from 0 to 1"
const Share = Schema.Number.annotate({ message: shareMessage }).check(
  Schema.makeFilter((value: number) => (value >= 0 && value <= 1) || shareMessage)
)

const Ratio = Schema.Number.annotate({ message: ratioMessage }).check(
  Schema.makeFilter((value) => value > 0 && value <= 1, { message: ratioMessage, maximum: 1 })
)
const Switch = Schema.Boolean.annotate({ message: "must be true or false" })
const urlMessage = "must be an http or https URL"
const PublicUrl = Schema.UndefinedOr(
  Schema.String.check(Schema.isPattern(/^https?:\/\/[^/?#]+[^?#]*$/, { message: urlMessage }))
).annotate({ message: urlMessage })
const hostnameMessage = "must be a host name such as eu.example.com"
// Rejected at startup: an entry with a port or a scheme would never match, and would restrict nothing.
const Hostname = Schema.String.annotate({ message: hostnameMessage }).check(
  Schema.isPattern(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i, { message: hostnameMessage })
)
const headerMessage = "must be a header name such as x-acme-session-id"
const HeaderName = Schema.String.annotate({ message: headerMessage }).check(
  Schema.isPattern(/^[a-z0-9!#$%&'*+.^_`|~-]+$/i, { message: headerMessage })
)
const required = (unit: string): Schema.Number => {
  const messageMissingKey = `must be a whole number of ${unit} above 0`
  return wholeNumber(unit).pipe(Schema.annotateKey({ messageMissingKey }))
}
const RateLimit = Schema.UndefinedOr(
  Schema.Struct({ requests: required("requests"), windowMillis: required("milliseconds") })
).annotate({ message: "must be { requests, windowMillis }" })

/** The settings by the section of docs/reference/settings.md that lists them. */
export const settingGroups = {
  "Request sizes": {
    maxBodyBytes: bytes(
      1_048_576,
      "Largest request body, unless `maxImageBodyBytes` or `maxChatBodyBytes` applies."
    ),
    maxImageBodyBytes: bytes(
      16_777_216,
      "Largest body of a Decision with images in its `state`, and of a video request with images."
    ),
    maxChatBodyBytes: bytes(16_777_216, "Largest body of a chat, of embeddings and of a rerank."),
    maxBufferedBodyBytes: bytes(268_435_456, "Unparsed bodies in memory, over all requests."),
    requestBodyIdleTimeoutMillis: millis(30_000, "Longest pause while a request body arrives."),
    requestBodyTimeoutMillis: millis(300_000, "Longest time for a whole request body to arrive."),
    maxJsonDepth: count(1_000, "Deepest nesting of arrays and objects in a body."),
    maxJsonNodes: count(20_000, "Arrays, objects and keys in a body."),
    maxChatJsonNodes: count(
      40_000,
      "Arrays, objects and keys in the body of a chat, of embeddings and of a rerank."
    ),
    maxQuestions: count(256, "Questions of a Decision."),
    maxLabels: count(1_000, "Labels of a `choice` question."),
    maxLevels: count(1_000, "Levels of a `score` question."),
    maxOptions: count(5_000, "Labels and levels of all questions of a Decision."),
    maxStateItems: count(100_000, "Items of a `state` that is a list."),
    maxMessages: count(5_000, "Messages of a chat."),
    maxContentParts: count(2_000, "Content parts of a message."),
    maxTools: count(1_000, "Tools of a chat."),
    maxEmbeddingInputs: count(2_048, "Inputs of embeddings; a list of token ids is one."),
    maxDocuments: count(10_000, "Documents of a rerank.")
  },
  "Timeouts and attempts": {
    totalTimeoutMillis: millis(
      60_000,
      "A Decision, embeddings, a rerank, and a streamed chat until its first event: all attempts together."
    ),
    chatTimeoutMillis: millis(300_000, "A chat that is not streamed: all attempts together."),
    streamTimeoutMillis: millis(1_800_000, "A stream after its first event."),
    connectionQueueTimeoutMillis: millis(
      10_000,
      "Waiting for one of `maxUpstreamConnections`, at most half of `headersTimeoutMillis` and a quarter of `totalTimeoutMillis`. Then another provider is tried, or the answer is a 503; it does not count against the provider. No wait counts as a provider's latency, nor for any of its timeouts but that of all attempts together."
    ),
    connectTimeoutMillis: millis(5_000, "Connecting to a provider."),
    headersTimeoutMillis: millis(30_000, "Waiting for the response headers of a provider."),
    bodyTimeoutMillis: millis(30_000, "Reading a provider's answer after its headers."),
    firstEventTimeoutMillis: millis(
      30_000,
      "Waiting for the first event of a stream after its headers."
    ),
    streamIdleTimeoutMillis: millis(30_000, "Waiting between two events of a stream."),
    unreadResponseTimeoutMillis: millis(
      120_000,
      "How long a response waits for a reader that takes nothing; then it is broken off, the call at the provider is aborted, and what was used is charged."
    ),
    keepaliveMillis: millis(10_000, "Silence after which a stream sends a keepalive comment."),
    maxAttempts: count(5, "Endpoints that one request may try."),
    maxCredentialAttempts: count(5, "Further attempts at an endpoint with other credentials."),
    maxRejectedCredentials: count(
      20,
      "Attempts of one request that may fail because a provider rejects a customer's credential."
    ),
    questionConcurrency: count(
      8,
      "Concurrent calls of one attempt at a provider that needs one call per question."
    ),
    maxUpstreamBodyBytes: bytes(
      8_388_608,
      "Largest answer of a provider; for a stream, the largest event."
    ),
    maxEmbeddingAnswerBytes: bytes(
      134_217_728,
      "The same for embeddings, which are large: 2,048 vectors of 3,072 numbers have up to 130 MB."
    ),
    maxStreamBytes: bytes(268_435_456, "Bytes a provider may stream as one answer."),
    maxUpstreamConnections: count(
      1_024,
      "Connections to one provider. Further requests wait for one, up to `connectionQueueTimeoutMillis`."
    )
  },
  Decisions: {
    calibrateDecisions: setting(
      Switch,
      false,
      "Whether Decisions without `calibration` are calibrated and can be labelled, which makes their records longer."
    ),
    escalationShadowShare: setting(
      Share,
      0,
      "Share of the Decisions with `escalate.target.relative_accuracy` of which the other model answers every question, to learn from their labels; it costs that answer. From 0 to 1."
    )
  },
  Health: {
    breakerWindowMillis: millis(
      60_000,
      "Sliding window of attempts that a circuit breaker counts.",
      {
        maximum: hourMillis
      }
    ),
    breakerMinSamples: count(10, "Attempts in `breakerWindowMillis` before a breaker may open."),
    breakerFailureRatio: setting(
      Ratio,
      0.5,
      "Share of failed attempts that opens a breaker, above 0."
    ),
    breakerProbeIntervalMillis: millis(15_000, "Time between two probes while a breaker is open."),
    breakerRampMillis: millis(30_000, "Time over which a recovered endpoint regains its traffic."),
    rateLimitBackoffMillis: millis(
      1_000,
      "First backoff after a 429 without `Retry-After`; it doubles with each further one."
    ),
    maxRateLimitBackoffMillis: millis(60_000, "Longest backoff after a 429 without `Retry-After`."),
    maxRetryAfterMillis: millis(300_000, "Longest `Retry-After` of a provider that is honored."),
    outageWindowMillis: millis(30_000, "Window in which failures count as an outage.", {
      maximum: hourMillis
    }),
    uptimeMinSamples: count(100, "Attempts before an uptime is computed."),
    rankMinSamples: count(
      10,
      "Attempts in five minutes before measurements rank or demote an endpoint."
    ),
    maxTrackedEndpoints: count(
      10_000,
      "Endpoints whose health is tracked; the least recently tried is evicted."
    )
  },
  Experiments: {
    experimentSyncMillis: millis(
      5_000,
      "How often a process stores what experiments measured, judges canaries, and learns what other processes decided."
    ),
    maxShadowRequests: count(
      32,
      "Shadow requests in progress in the process; further ones are skipped."
    )
  },
  "Stickiness of conversations": {
    affinityMillis: millis(
      600_000,
      "How long a conversation without requests keeps its endpoint, whose cache has its prompt. 0 switches stickiness off.",
      { minimum: 0 }
    ),
    affinityKept: count(
      100_000,
      "Conversations in memory that are at another endpoint than their hash says; the one unused for longest is evicted."
    ),
    affinityUnderWay: count(
      16,
      "Requests of one conversation under way, above which they spread over further endpoints."
    )
  },
  "Catalog and charges": {
    catalogTimeoutMillis: millis(60_000, "Reading all pages of a catalog source."),
    maxCatalogModels: count(100_000, "Models that a catalog source may list."),
    maxCatalogBytes: bytes(
      67_108_864,
      "All pages of a server's catalog, or a catalog file. One page is also bounded by `maxUpstreamBodyBytes`."
    ),
    maxReportedUsageMultiple: count(
      2,
      "A reported usage above this multiple of the worst case is implausible."
    ),
    maxReportedCostMultiple: count(
      10,
      "A reported cost above this multiple of the price list is implausible."
    ),
    reservationLeaseMillis: millis(
      300_000,
      "Time after which an abandoned reservation is charged in full. A chat adds its own timeout."
    ),
    maxSpendCounters: count(
      100_000,
      "Keys, users and workspaces of one account whose spending and limits are tracked in memory."
    )
  },
  "Keys and rate limits": {
    rateLimit: setting(
      RateLimit,
      undefined,
      "Rate limit of every key, as `{ requests, windowMillis }`; unlimited by default."
    ),
    rateLimitTimeoutMillis: millis(250, "How long a request waits for `Options.rateLimits`."),
    rateLimitRetryMillis: millis(1_000, "Time before a failed rate limit store is tried again."),
    maxCachedKeys: count(10_000, "API keys cached in memory."),
    keyCacheTtlMillis: millis(10_000, "How long a key is cached."),
    maxCachedUnknownKeys: count(10_000, "Unknown tokens cached in memory, apart from the keys."),
    unknownKeyCacheTtlMillis: millis(10_000, "How long an unknown token is cached.")
  },
  Quotas: {
    maxWorkspacesPerAccount: count(1_000, "Workspaces of an account."),
    maxMembersPerAccount: count(100_000, "Members of an account."),
    maxMembersPerWorkspace: count(10_000, "Members of a workspace."),
    maxKeysPerAccount: count(100_000, "API keys of an account."),
    maxKeysPerWorkspace: count(10_000, "API keys of a workspace."),
    maxGuardrailsPerAccount: count(10_000, "Guardrails of an account."),
    maxGuardrailsPerWorkspace: count(1_000, "Guardrails of a workspace."),
    maxCredentialsPerAccount: count(10_000, "Provider credentials of an account."),
    maxCredentialsPerWorkspace: count(1_000, "Provider credentials of a workspace."),
    maxInternsPerAccount: count(10_000, "Interns of an account."),
    maxInternsPerWorkspace: count(1_000, "Interns of a workspace."),
    maxSecretsPerAccount: count(100_000, "Vault secrets of an account."),
    maxSecretsPerWorkspace: count(10_000, "Vault secrets of a workspace.")
  },
  "Process, storage and addresses": {
    publicUrl: setting(
      PublicUrl,
      undefined,
      "Public URL before the mount, such as `https://ai.example.com`. Without it, links are paths."
    ),
    drainTimeoutMillis: millis(10_000, "How long `close()` waits for running requests."),
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
    maxQueuedBroadcasts: count(
      1_000,
      "Generations in the queue of one destination, or of the I/O log."
    ),
    broadcastTimeoutMillis: millis(10_000, "One call of a destination."),
    maxIoLogQueueBytes: bytes(67_108_864, "Inputs and outputs in the queue of the I/O log."),
    maxIoLogStreamCharacters: characters(
      1_048_576,
      "Characters of a streamed answer kept for the I/O log."
    ),
    maxRollupValues: count(
      200,
      "Values of a dimension that a bucket of rollups keeps apart once it has ended; the rest is added up."
    ),
    maxMemoryRollupValues: count(
      100_000,
      "Values that rollups keep in memory, over all accounts and buckets; the oldest buckets go first."
    ),
    rollupMinuteRetentionMillis: millis(172_800_000, "How long rollups by minute are kept."),
    rollupHourRetentionMillis: millis(7_776_000_000, "How long rollups by hour are kept."),
    rollupDayRetentionMillis: millis(63_072_000_000, "How long rollups by day are kept.")
  },
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

const fields = {
  ...settingGroups["Request sizes"],
  ...settingGroups["Timeouts and attempts"],
  ...settingGroups.Decisions,
  ...settingGroups.Health,
  ...settingGroups.Experiments,
  ...settingGroups["Stickiness of conversations"],
  ...settingGroups["Catalog and charges"],
  ...settingGroups["Keys and rate limits"],
  ...settingGroups.Quotas,
  ...settingGroups["Process, storage and addresses"],
  ...settingGroups["Durable jobs"],
  ...settingGroups.Observability,
  ...settingGroups.Webhooks,
  ...settingGroups.Videos,
  ...settingGroups.Interns
}

type SettingName = keyof typeof fields

const comparisons = {
  "at least": (value: number, other: number): boolean => value >= other,
  "at least twice": (value: number, other: number): boolean => value >= 2 * other,
  above: (value: number, other: number): boolean => value > other
}

/** Constraints between two settings. */
export const settingRelations: ReadonlyArray<{
  readonly name: SettingName
  readonly comparison: keyof typeof comparisons
  readonly other: SettingName
}> = [
  { name: "maxImageBodyBytes", comparison: "at least", other: "maxBodyBytes" },
  // A body larger than the buffer could never be read.
  { name: "maxBufferedBodyBytes", comparison: "at least", other: "maxImageBodyBytes" },
  { name: "maxBufferedBodyBytes", comparison: "at least", other: "maxChatBodyBytes" },
  { name: "maxRateLimitBackoffMillis", comparison: "at least", other: "rateLimitBackoffMillis" },
  // A reservation must outlive its request.
  { name: "reservationLeaseMillis", comparison: "above", other: "totalTimeoutMillis" },
  { name: "jobLeaseMillis", comparison: "at least twice", other: "jobLeaseRefreshMillis" },
  { name: "maxVideoFileBytesPerAccount", comparison: "at least", other: "maxVideoFileBytes" }
]

const SettingsSchema = Schema.Struct(fields).check(
  Schema.makeFilter((settings: Readonly<Record<SettingName, unknown>>) =>
    settingRelations.flatMap(({ comparison, name, other }) =>
      comparisons[comparison](Number(settings[name]), Number(settings[other]))
        ? []
        : [
            {
              path: [name],
              issue: `must be ${comparison} settings.${other} (${String(settings[other])})`
            }
          ]
    )
  )
)

/** Every limit and timeout. Names that end in `Millis` are in milliseconds, in `Bytes` in bytes. */
export interface SettingsShape extends Schema.Schema.Type<typeof SettingsSchema> {}

/** The settings of an instance that sets none. */
export const defaults: SettingsShape = SettingsSchema.make({})

/** The settings of this instance; a reference with `defaults` as its default. */
export const Settings: Context.Reference<SettingsShape> = Context.Reference(
  "@signalbox/core/Settings",
  { defaultValue: () => defaults }
)

const decode = Schema.decodeUnknownResult(SettingsSchema)
const format = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * The defaults with overrides. Throws a `RangeError` with the name, the bound and the value of an invalid setting.
 *
 * ```ts
 * Settings.make({ totalTimeoutMillis: 30_000, maxAttempts: 3 })
 * ```
 */
export const make = (overrides: Partial<SettingsShape>): SettingsShape => {
  const unknown = Object.keys(overrides).find((name) => !Object.hasOwn(defaults, name))
  if (unknown !== undefined) throw new RangeError(`settings.${unknown} is no setting`)
  const settings = { ...defaults, ...overrides }
  const result = decode(settings)
  if (Result.isSuccess(result)) return result.success
  const [{ message, path = [] } = { message: "is not valid" }] = format(result.failure.issue).issues
  const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment))
  const value = keys.reduce<unknown>((parent, key) => Object(parent)[key], settings)
  throw new RangeError(`settings.${keys.map(String).join(".")} ${message}, got ${String(value)}`)
}

/** A layer of the defaults with overrides. Throws as `make` does. */
export const layer = (overrides: Partial<SettingsShape>): Layer.Layer<never> =>
  Layer.succeed(Settings, make(overrides))
