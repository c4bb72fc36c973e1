/** Every limit, timeout and interval of the library, each with its default, in one place. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/** Every limit and deadline, with its unit, bounds and default. */
export interface SettingsShape {
  /**
   * Largest request body in bytes (413 beyond it), but for those that have a limit of their own below. What comes
   * compressed counts as what it unpacks to. Source: interface specification, Limits.
   */
  readonly maxBodyBytes: number
  /** Largest body in bytes of a Decision whose `state` carries images, and of a video request that shows some. */
  readonly maxImageBodyBytes: number
  /** Largest body in bytes of a chat: today's models read millions of characters. */
  readonly maxChatBodyBytes: number
  /**
   * Bytes of request bodies that may be in memory before they are parsed, of all requests to this process together;
   * a body beyond it is refused (503). No less than the largest body.
   */
  readonly maxBufferedBodyBytes: number
  /** Time in milliseconds in which some more of a request body must arrive (408 otherwise). */
  readonly requestBodyIdleTimeoutMillis: number
  /** Time in milliseconds a whole request body may take to arrive (408 beyond it). */
  readonly requestBodyTimeoutMillis: number
  /** Deepest nesting of arrays and objects in a request body (400 beyond it). */
  readonly maxJsonDepth: number
  /**
   * Most arrays, objects and keys in a request body, counted before it is parsed (400 beyond it). Numbers and strings
   * in lists do not count.
   */
  readonly maxJsonNodes: number
  /** The same of a chat, whose messages and tools are made of many. */
  readonly maxChatJsonNodes: number
  /** Most questions of one Decision (400 beyond it). */
  readonly maxQuestions: number
  /** Most labels of one `choice` question (400 beyond it). */
  readonly maxLabels: number
  /** Most levels of one `score` question (400 beyond it). */
  readonly maxLevels: number
  /** Most labels and levels of all questions of one Decision together (400 beyond it). */
  readonly maxOptions: number
  /** Most items of a `state` that is a list (400 beyond it). */
  readonly maxStateItems: number
  /** Most messages of one chat (400 beyond it). */
  readonly maxMessages: number
  /** Most parts of the content of one message (400 beyond it). */
  readonly maxContentParts: number
  /** Most tools of one chat (400 beyond it). */
  readonly maxTools: number
  /**
   * Time in milliseconds a routed request may take, all attempts together. While a fallback remains, one
   * attempt may take half of what is left. Our choice.
   */
  readonly totalTimeoutMillis: number
  /** The same for a chat that is not streamed: its answer is there only when its last token is. Our choice. */
  readonly chatTimeoutMillis: number
  /** How long in milliseconds a stream may last after its first event. Our choice. */
  readonly streamTimeoutMillis: number
  /** Time in milliseconds to wait for an upstream's response headers. */
  readonly headersTimeoutMillis: number
  /** Time in milliseconds to read an upstream's answer after its headers. */
  readonly bodyTimeoutMillis: number
  /** Time in milliseconds to wait for the first event of a stream after its headers. */
  readonly firstEventTimeoutMillis: number
  /** Time in milliseconds to wait between two events of a stream. */
  readonly streamIdleTimeoutMillis: number
  /** Time in milliseconds of silence after which a streamed answer says that it goes on. Our choice. */
  readonly keepaliveMillis: number
  /** Time in milliseconds to establish a connection to an upstream. */
  readonly connectTimeoutMillis: number
  /** Largest number of endpoints one request may try, fallbacks included. */
  readonly maxAttempts: number
  /** Largest number of further attempts at endpoints it tried already, each with another credential. */
  readonly maxCredentialAttempts: number
  /** Largest number of attempts of one request that may be refused to customers' own credentials. */
  readonly maxRejectedCredentials: number
  /** Samples in five minutes below which an endpoint's measurements neither rank nor demote. Our choice. */
  readonly rankMinSamples: number
  /** How many calls one attempt may have open at an upstream that needs one per question. */
  readonly questionConcurrency: number
  /** Largest upstream answer in bytes that is read; of one that is streamed, the largest event. */
  readonly maxUpstreamBodyBytes: number
  /** How many bytes an upstream may stream as one answer; a longer one is broken off. */
  readonly maxStreamBytes: number
  /** Window in milliseconds in which recent failures make an endpoint unstable. Source: semantics A1. */
  readonly outageWindowMillis: number
  /** Window in milliseconds of whose attempts a breaker counts the failures, at most an hour. Our choice. */
  readonly breakerWindowMillis: number
  /** Attempts in that window from which a breaker may open, 1 or more. Our choice. */
  readonly breakerMinSamples: number
  /** Share of them that must have failed, above 0 and up to 1. Our choice. */
  readonly breakerFailureRatio: number
  /** Time in milliseconds between two attempts that an open breaker lets through. Our choice. */
  readonly breakerProbeIntervalMillis: number
  /** Time in milliseconds over which an endpoint gets its traffic back after an outage. Our choice. */
  readonly breakerRampMillis: number
  /** How long in milliseconds a first 429 keeps us away; each that follows doubles it. Our choice. */
  readonly rateLimitBackoffMillis: number
  /** The longest in milliseconds that doubling comes to; no less than the first. Our choice. */
  readonly maxRateLimitBackoffMillis: number
  /** The longest in milliseconds an upstream's `Retry-After` is heeded. Our choice. */
  readonly maxRetryAfterMillis: number
  /** Attempts from which an uptime is told, 1 or more. Source: semantics A8. */
  readonly uptimeMinSamples: number
  /** Of how many endpoints the health is kept; the least recently tried goes first. */
  readonly maxTrackedEndpoints: number
  /** Time in milliseconds to read a catalog source, all its pages together. */
  readonly catalogTimeoutMillis: number
  /**
   * How many times the most that a request can use an upstream may say it used, before that is implausible and
   * the worst case is charged instead.
   */
  readonly maxReportedUsageMultiple: number
  /**
   * How many times what the price list says an upstream may say a request cost, before that is implausible and
   * the worst case is charged at most.
   */
  readonly maxReportedCostMultiple: number
  /** How long in milliseconds a ledger reservation holds before it lapses into a charge. */
  readonly reservationLeaseMillis: number
  /** Requests one key may make per window; absent means no limit. */
  readonly rateLimit: { readonly requests: number; readonly windowMillis: number } | undefined
  /** Time in milliseconds a request waits for `Options.rateLimits` to count it. Our choice. */
  readonly rateLimitTimeoutMillis: number
  /** Time in milliseconds after which those that did not answer are asked again. Our choice. */
  readonly rateLimitRetryMillis: number
  /**
   * Time in milliseconds one verb of a store, or one transaction, may take, the wait for a connection
   * included. Reserving money has the time of its request instead. Our choice.
   */
  readonly storeTimeoutMillis: number
  /** How many keys are remembered after they were looked up; the least recently used goes first. */
  readonly maxCachedKeys: number
  /**
   * How long in milliseconds a key is remembered. Changes made in this process hold at once; those that
   * another process makes on a shared store, when the store tells of them, at the latest after this time.
   */
  readonly keyCacheTtlMillis: number
  /** How many tokens that open nothing are remembered, apart from the keys. */
  readonly maxCachedUnknownKeys: number
  /** How long in milliseconds a token that opens nothing is remembered. */
  readonly unknownKeyCacheTtlMillis: number
  /**
   * Of how many keys, people and workspaces of one account together spending is counted in memory, and
   * under how many limits; who spent least recently goes first, and nobody because of another account.
   */
  readonly maxSpendCounters: number
  /**
   * The address of the application from outside, such as `https://ai.example.com`: what stands in front of the
   * mount. Addresses of video jobs, in responses and in events, begin with it; feeds link to
   * `{publicUrl}/author/slug`. Absent: those of video jobs are paths, and feeds have no links.
   */
  readonly publicUrl: string | undefined
  /** How many workspaces an account may have (409 beyond it). */
  readonly maxWorkspacesPerAccount: number
  /** How many members an account may have (409 beyond it). */
  readonly maxMembersPerAccount: number
  /** How many members a workspace may have (409 beyond it). */
  readonly maxMembersPerWorkspace: number
  /** How many API keys an account may have (409 beyond it). */
  readonly maxKeysPerAccount: number
  /** How many API keys a workspace may have (409 beyond it). */
  readonly maxKeysPerWorkspace: number
  /** How many guardrails an account may have (409 beyond it). */
  readonly maxGuardrailsPerAccount: number
  /** How many guardrails a workspace may have (409 beyond it). */
  readonly maxGuardrailsPerWorkspace: number
  /** How many provider credentials an account may have (409 beyond it). */
  readonly maxCredentialsPerAccount: number
  /** How many provider credentials a workspace may have (409 beyond it). */
  readonly maxCredentialsPerWorkspace: number
  /** How many interns an account may have (409 beyond it). */
  readonly maxInternsPerAccount: number
  /** How many interns a workspace may have (409 beyond it). */
  readonly maxInternsPerWorkspace: number
  /** How many secrets in vaults an account may have (409 beyond it). */
  readonly maxSecretsPerAccount: number
  /** How many secrets in vaults a workspace may have (409 beyond it). */
  readonly maxSecretsPerWorkspace: number
  /** How long in milliseconds `close()` waits for running requests. */
  readonly drainTimeoutMillis: number
  /** How many generation records the in-memory store keeps; beyond it the account with most loses its oldest. */
  readonly maxGenerations: number
  /**
   * How many entries the in-memory audit log keeps of one account. With 64 KiB for one at most, no account
   * fills the memory of all. Our choice.
   */
  readonly maxAuditEntriesPerAccount: number
  /** How many finished steps of jobs, and how many dead ones, the in-memory store remembers. Our choice. */
  readonly maxJobSteps: number
  /** How long in milliseconds a finished step is remembered, so that its key runs no second time. Our choice. */
  readonly jobStepRetentionMillis: number
  /** How long in milliseconds a dead step can be looked at. Our choice. */
  readonly deadLetterRetentionMillis: number
  /** How long in milliseconds a step, or the poll of a video job, belongs to a process that has gone silent. Our choice. */
  readonly jobLeaseMillis: number
  /** Time in milliseconds between two renewals of that; at most half of it. */
  readonly jobLeaseRefreshMillis: number
  /** Time in milliseconds after which a process looks for steps that another one has offered. */
  readonly jobPollMillis: number
  /** Time in milliseconds between two looks for steps to forget, and for steps nobody here works on. */
  readonly jobMaintenanceMillis: number
  /** How many generations may wait for one destination of the broadcast, or for the I/O log. */
  readonly maxQueuedBroadcasts: number
  /** Time in milliseconds a destination may take for one generation. */
  readonly broadcastTimeoutMillis: number
  /** How many bytes of requests and answers may wait for the I/O log together. */
  readonly maxIoLogQueueBytes: number
  /**
   * About how many characters of one streamed answer are kept for the I/O log, which is told where there was more
   * (`isTruncated`).
   */
  readonly maxIoLogStreamCharacters: number
  /**
   * For tests and development: callbacks may go anywhere, by http and to any port too, and providers are
   * handed addresses of pictures, sound, videos and files that lead anywhere. Whoever may name a callback
   * then reaches whatever this process reaches.
   */
  readonly allowPrivateNetworks: boolean
  /** Time in milliseconds a receiver of events has to answer, looking up its name included. Source: semantics E. */
  readonly webhookTimeoutMillis: number
  /**
   * Time in milliseconds between two attempts at a delivery, one for each attempt after the first; a fifth
   * more or less is drawn. Source: semantics E.
   */
  readonly webhookRetryMillis: ReadonlyArray<number>
  /** The least time in milliseconds until a receiver that is overloaded is tried again. Our choice. */
  readonly webhookOverloadBackoffMillis: number
  /** The longest in milliseconds a receiver's `Retry-After` is heeded. Our choice. */
  readonly maxWebhookRetryAfterMillis: number
  /** How many deliveries one process attempts at once, 4 or more. Our choice. */
  readonly webhookConcurrency: number
  /** How many deliveries the in-memory store keeps beside those that are not finished. */
  readonly maxDeliveries: number
  /** How long in milliseconds a finished delivery can be looked at and sent again. Our choice. */
  readonly deliveryRetentionMillis: number
  /** How long in milliseconds a video job may take before it is given up as expired. Our choice. */
  readonly videoTimeoutMillis: number
  /** Time in milliseconds between two polls of a provider that does not say how often. Our choice. */
  readonly videoPollMillis: number
  /** The longest in milliseconds between two polls of a provider that does not answer them. Our choice. */
  readonly maxVideoPollMillis: number
  /** Time in milliseconds between two looks for video jobs that are due. */
  readonly videoSweepMillis: number
  /** How many video jobs one process polls at once. */
  readonly videoConcurrency: number
  /**
   * How long in milliseconds the money of a video job stays set aside while no process looks after it; then
   * it lapses into a charge.
   */
  readonly videoReservationLeaseMillis: number
  /** How long in milliseconds the files of a finished video job are handed out. Our choice. */
  readonly videoContentRetentionMillis: number
  /**
   * Largest video file in bytes that `Options.videoFiles` keeps, at most `maxVideoFileBytesPerAccount`. A larger one is
   * handed out from its provider instead.
   */
  readonly maxVideoFileBytes: number
  /**
   * Largest sum in bytes of the video files that `Options.videoFiles` keeps for one account. Beyond it, files are
   * handed out from their providers instead.
   */
  readonly maxVideoFileBytesPerAccount: number
  /**
   * How many video jobs of one account may be under way at once (429 beyond it). Until a provider has accepted a
   * job it is kept with its pictures, up to `maxImageBodyBytes` each. Our choice.
   */
  readonly maxActiveVideoJobs: number
  /** How many video jobs the in-memory store keeps beside those that are not finished. */
  readonly maxVideoJobs: number
  /** How long in milliseconds a finished video job is known, and its `Idempotency-Key` with it. Our choice. */
  readonly videoJobRetentionMillis: number
  /** Time in milliseconds a new intern's set-up may take while its creator waits. Our choice. */
  readonly internPrepareTimeoutMillis: number
  /** How long in milliseconds a create waits for the same request that came before it. Our choice. */
  readonly internCreateTimeoutMillis: number
  /** How long in milliseconds an `Idempotency-Key` of a create stands for its request. Source: semantics D3. */
  readonly internIdempotencyKeyRetentionMillis: number
  /** Time in milliseconds a host of interns may take for one step. Our choice. */
  readonly internStepTimeoutMillis: number
  /** Time in milliseconds a request about interns or vaults may take, its body included (408 beyond it). Our choice. */
  readonly internRequestTimeoutMillis: number
  /** Time in milliseconds an intern may take to answer one turn, all of it. Source: semantics D1. */
  readonly internChatTimeoutMillis: number
  /**
   * Whether a new intern whose `workspace_id` is not said is made in the workspace of the key; otherwise that is
   * refused (400). Source: wire facts 2, where client and specification disagree.
   */
  readonly internWorkspaceFromKey: boolean
  /**
   * Names such as `eu.example.com`, as requests have them in `Host`, at which there are no interns (403). Source:
   * interface specification, Interns.
   */
  readonly regionalHostnames: ReadonlyArray<string>
}

export const defaults: SettingsShape = {
  maxBodyBytes: 1_048_576,
  maxImageBodyBytes: 16_777_216,
  maxChatBodyBytes: 16_777_216,
  maxBufferedBodyBytes: 268_435_456,
  requestBodyIdleTimeoutMillis: 30_000,
  requestBodyTimeoutMillis: 300_000,
  maxJsonDepth: 1_000,
  maxJsonNodes: 20_000,
  maxChatJsonNodes: 40_000,
  maxQuestions: 256,
  maxLabels: 1_000,
  maxLevels: 1_000,
  maxOptions: 5_000,
  maxStateItems: 100_000,
  maxMessages: 5_000,
  maxContentParts: 2_000,
  maxTools: 1_000,
  totalTimeoutMillis: 60_000,
  chatTimeoutMillis: 300_000,
  streamTimeoutMillis: 1_800_000,
  headersTimeoutMillis: 30_000,
  bodyTimeoutMillis: 30_000,
  firstEventTimeoutMillis: 30_000,
  streamIdleTimeoutMillis: 30_000,
  keepaliveMillis: 10_000,
  connectTimeoutMillis: 5_000,
  maxAttempts: 5,
  maxCredentialAttempts: 5,
  maxRejectedCredentials: 20,
  rankMinSamples: 10,
  questionConcurrency: 8,
  maxUpstreamBodyBytes: 8_388_608,
  maxStreamBytes: 268_435_456,
  outageWindowMillis: 30_000,
  breakerWindowMillis: 60_000,
  breakerMinSamples: 10,
  breakerFailureRatio: 0.5,
  breakerProbeIntervalMillis: 15_000,
  breakerRampMillis: 30_000,
  rateLimitBackoffMillis: 1_000,
  maxRateLimitBackoffMillis: 60_000,
  maxRetryAfterMillis: 300_000,
  uptimeMinSamples: 100,
  maxTrackedEndpoints: 10_000,
  catalogTimeoutMillis: 60_000,
  maxReportedUsageMultiple: 2,
  maxReportedCostMultiple: 10,
  reservationLeaseMillis: 300_000,
  rateLimit: undefined,
  rateLimitTimeoutMillis: 250,
  rateLimitRetryMillis: 1_000,
  storeTimeoutMillis: 10_000,
  maxCachedKeys: 10_000,
  keyCacheTtlMillis: 10_000,
  maxCachedUnknownKeys: 10_000,
  unknownKeyCacheTtlMillis: 10_000,
  maxSpendCounters: 100_000,
  publicUrl: undefined,
  maxWorkspacesPerAccount: 1_000,
  maxMembersPerAccount: 100_000,
  maxMembersPerWorkspace: 10_000,
  maxKeysPerAccount: 100_000,
  maxKeysPerWorkspace: 10_000,
  maxGuardrailsPerAccount: 10_000,
  maxGuardrailsPerWorkspace: 1_000,
  maxCredentialsPerAccount: 10_000,
  maxCredentialsPerWorkspace: 1_000,
  maxInternsPerAccount: 10_000,
  maxInternsPerWorkspace: 1_000,
  maxSecretsPerAccount: 100_000,
  maxSecretsPerWorkspace: 10_000,
  drainTimeoutMillis: 10_000,
  maxGenerations: 10_000,
  maxAuditEntriesPerAccount: 1_000,
  maxJobSteps: 10_000,
  jobStepRetentionMillis: 3_600_000,
  deadLetterRetentionMillis: 2_592_000_000,
  jobLeaseMillis: 15_000,
  jobLeaseRefreshMillis: 5_000,
  jobPollMillis: 1_000,
  jobMaintenanceMillis: 60_000,
  maxQueuedBroadcasts: 1_000,
  broadcastTimeoutMillis: 10_000,
  maxIoLogQueueBytes: 67_108_864,
  maxIoLogStreamCharacters: 1_048_576,
  allowPrivateNetworks: false,
  webhookTimeoutMillis: 15_000,
  // 5 s, 5 min, 30 min, then 2, 5, 10, 14, 20 and 24 h: 75.6 hours in all.
  webhookRetryMillis: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
    (seconds) => seconds * 1_000
  ),
  webhookOverloadBackoffMillis: 60_000,
  maxWebhookRetryAfterMillis: 86_400_000,
  webhookConcurrency: 32,
  maxDeliveries: 10_000,
  deliveryRetentionMillis: 2_592_000_000,
  videoTimeoutMillis: 86_400_000,
  videoPollMillis: 10_000,
  maxVideoPollMillis: 300_000,
  videoSweepMillis: 1_000,
  videoConcurrency: 32,
  videoReservationLeaseMillis: 172_800_000,
  videoContentRetentionMillis: 86_400_000,
  maxVideoFileBytes: 1_073_741_824,
  maxVideoFileBytesPerAccount: 10_737_418_240,
  maxActiveVideoJobs: 100,
  maxVideoJobs: 10_000,
  videoJobRetentionMillis: 2_592_000_000,
  internPrepareTimeoutMillis: 15_000,
  internCreateTimeoutMillis: 30_000,
  internIdempotencyKeyRetentionMillis: 86_400_000,
  internStepTimeoutMillis: 300_000,
  internRequestTimeoutMillis: 60_000,
  internChatTimeoutMillis: 300_000,
  internWorkspaceFromKey: false,
  regionalHostnames: []
}

/** The limits and deadlines of this service, by default `defaults`; read without a requirement. */
export const Settings: Context.Reference<SettingsShape> = Context.Reference(
  "@signalbox/core/Settings",
  { defaultValue: () => defaults }
)

/** The settings with some of them replaced; throws a `RangeError` naming a value that makes no sense. */
export const make = (overrides: Partial<SettingsShape>): SettingsShape => {
  const unknown = Object.keys(overrides).find((name) => !Object.hasOwn(defaults, name))
  if (unknown !== undefined) throw new RangeError(`settings.${unknown} is no setting`)
  const settings = { ...defaults, ...overrides }
  const {
    allowPrivateNetworks,
    breakerFailureRatio: ratio,
    internWorkspaceFromKey,
    publicUrl,
    rateLimit,
    regionalHostnames,
    webhookRetryMillis,
    ...numbers
  } = settings
  for (const [name, value] of Object.entries({ allowPrivateNetworks, internWorkspaceFromKey })) {
    if (typeof value !== "boolean") {
      throw new RangeError(`settings.${name} must be true or false, got ${String(value)}`)
    }
  }
  if (!Array.isArray(regionalHostnames)) {
    throw new RangeError(
      `settings.regionalHostnames must be a list, got ${String(regionalHostnames)}`
    )
  }
  for (const name of regionalHostnames) {
    // Whoever writes a port or an address here would have a door that never shuts.
    if (typeof name !== "string" || !/^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(name)) {
      throw new RangeError(
        `settings.regionalHostnames must hold names of hosts such as eu.example.com, got ${String(name)}`
      )
    }
  }
  if (!Array.isArray(webhookRetryMillis)) {
    throw new RangeError(
      `settings.webhookRetryMillis must be a list, got ${String(webhookRetryMillis)}`
    )
  }
  const all: Readonly<Record<string, unknown>> = {
    ...numbers,
    ...Object.fromEntries(
      webhookRetryMillis.map((millis, index) => [`webhookRetryMillis.${index}`, millis])
    ),
    ...(rateLimit === undefined
      ? undefined
      : {
          "rateLimit.requests": rateLimit.requests,
          "rateLimit.windowMillis": rateLimit.windowMillis
        })
  }
  for (const [name, value] of Object.entries(all)) {
    if (!Number.isSafeInteger(value) || Number(value) <= 0) {
      throw new RangeError(`settings.${name} must be a whole number above 0, got ${String(value)}`)
    }
  }
  if (!(typeof ratio === "number" && ratio > 0 && ratio <= 1)) {
    throw new RangeError(
      `settings.breakerFailureRatio must be above 0 and at most 1, got ${String(ratio)}`
    )
  }
  if (publicUrl !== undefined && !/^https?:\/\/[^/?#]+[^?#]*$/.test(publicUrl)) {
    throw new RangeError(`settings.publicUrl must be an http or https URL, got ${publicUrl}`)
  }
  for (const name of ["outageWindowMillis", "breakerWindowMillis"] as const) {
    if (settings[name] > 3_600_000) {
      throw new RangeError(
        `settings.${name} must not be above an hour: each second is counted apart`
      )
    }
  }
  if (settings.maxRateLimitBackoffMillis < settings.rateLimitBackoffMillis) {
    throw new RangeError(
      "settings.maxRateLimitBackoffMillis must not be below settings.rateLimitBackoffMillis"
    )
  }
  if (settings.jobLeaseMillis < 2 * settings.jobLeaseRefreshMillis) {
    throw new RangeError(
      "settings.jobLeaseRefreshMillis must be at most half of settings.jobLeaseMillis"
    )
  }
  if (settings.webhookConcurrency < 4) {
    throw new RangeError(
      "settings.webhookConcurrency must not be below 4: receivers that hang are left a part of it"
    )
  }
  if (settings.maxImageBodyBytes < settings.maxBodyBytes) {
    throw new RangeError("settings.maxImageBodyBytes must not be below settings.maxBodyBytes")
  }
  if (settings.maxVideoFileBytesPerAccount < settings.maxVideoFileBytes) {
    throw new RangeError(
      "settings.maxVideoFileBytesPerAccount must not be below settings.maxVideoFileBytes"
    )
  }
  for (const name of ["maxImageBodyBytes", "maxChatBodyBytes"] as const) {
    if (settings.maxBufferedBodyBytes < settings[name]) {
      throw new RangeError(
        `settings.maxBufferedBodyBytes must not be below settings.${name}: no such body could be read`
      )
    }
  }
  if (settings.reservationLeaseMillis <= settings.totalTimeoutMillis) {
    throw new RangeError(
      "settings.reservationLeaseMillis must be above settings.totalTimeoutMillis: a reservation outlives its request"
    )
  }
  return settings
}

export const layer = (overrides: Partial<SettingsShape>): Layer.Layer<never> =>
  Layer.succeed(Settings, make(overrides))
