/** The settings of what a request may hold, how long it may take, and how it is routed. */
import * as Schema from "effect/Schema"
import {
  bytes,
  count,
  hourMillis,
  millis,
  Ratio,
  setting,
  Share,
  Switch
} from "./settingSchemas.ts"

export const requestSettings = {
  "Request sizes": {
    maxBodyBytes: bytes(
      1_048_576,
      "Largest request body, unless `maxImageBodyBytes` or `maxChatBodyBytes` applies."
    ),
    maxImageBodyBytes: bytes(
      16_777_216,
      "Largest body of a Decision with images in its `state`, and of a video request with images."
    ),
    maxChatBodyBytes: bytes(
      16_777_216,
      "Largest body of a chat, of embeddings, of a rerank and of a request for images."
    ),
    maxAudioBytes: bytes(
      26_214_400,
      "Largest audio of a transcription; its body may have as much as `maxBodyBytes` besides."
    ),
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
    imageTimeoutMillis: millis(300_000, "A request for images: all attempts together."),
    streamTimeoutMillis: millis(1_800_000, "A stream after its first event."),
    connectionQueueTimeoutMillis: millis(
      10_000,
      "Waiting for one of `maxUpstreamConnections`, at most half of `headersTimeoutMillis` and a quarter of `totalTimeoutMillis`. Then another provider is tried, or the answer is a 503; it does not count against the provider. No wait counts as a provider's latency, nor for any of its timeouts but that of all attempts together."
    ),
    connectTimeoutMillis: millis(5_000, "Connecting to a provider."),
    headersTimeoutMillis: millis(
      30_000,
      "Waiting for the response headers of a provider; of a transcription, twice as long."
    ),
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
    maxImageAnswerBytes: bytes(
      134_217_728,
      "The same for images, which are large: an answer has up to 10 files in base64."
    ),
    maxStreamBytes: bytes(268_435_456, "Bytes a provider may stream as one answer."),
    maxUpstreamConnections: count(
      1_024,
      "Connections to one provider. Further requests wait for one, up to `connectionQueueTimeoutMillis`."
    )
  },
  "Ignored fields": {
    refuseIgnoredFields: setting(
      Switch,
      false,
      "Whether a request with a field that would have no effect is a 400 that names it. A request decides for itself by the header `X-Signalbox-Strict: true` or `false`."
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
    healthGroup: setting(
      Schema.String.annotate({ message: "must be a text" }),
      "",
      "Processes on one Postgres with the same text warn each other of providers that fail. Give processes in another region, or with other keys at the providers, another text."
    ),
    outageWindowMillis: millis(30_000, "Window in which failures count as an outage.", {
      maximum: hourMillis
    }),
    suspectMinMillis: millis(
      1_000,
      "An attempt without a first event, or without a whole answer, after twice the p99 of its endpoint's last minute counts as failed in plans until it answers, but no earlier than this. 20 answers in a minute are needed, whose p99 is kept for ten minutes, and long prompts get more time.",
      { maximum: hourMillis }
    ),
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
  "Conversation affinity": {
    affinityMillis: millis(
      600_000,
      "How long a conversation without requests keeps its endpoint, whose cache has its prompt. 0 switches affinity off.",
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
  }
}
