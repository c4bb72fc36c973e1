/** The public interface of an instance. */
import type * as Context from "effect/Context"
import type { CallerConfig } from "./tenants/auth/CallerConfig.ts"
import type { CatalogInput } from "./engine/catalog/Catalog.ts"
import type { ChatChunk } from "./domains/chat/stream/ChatChunk.ts"
import type { InProcessCompletion } from "./domains/chat/chat.ts"
import type { ChatRequest } from "./domains/chat/request/ChatRequest.ts"
import type { AnswerFields } from "./domains/chat/answer.ts"
import type { AnswerPiece } from "./domains/chat/stream/AnswerPiece.ts"
import type { ChatAnswer } from "./domains/chat/ChatAnswer.ts"
import type { Conversation } from "./conversation/Conversation.ts"
import type { Message, MessageEvent } from "./domains/messages/Message.ts"
import type { MessagesRequest } from "./domains/messages/MessagesRequest.ts"
import type { ResponseObject } from "./domains/responses/ResponseObject.ts"
import type { ResponsesEvent } from "./domains/responses/ResponsesEvent.ts"
import type { ResponsesRequest } from "./domains/responses/ResponsesRequest.ts"
import type { DecideRequest, DecideResult } from "./domains/decisions/Decision.ts"
import type { EmbeddingList } from "./domains/embeddings/EmbeddingList.ts"
import type { EmbeddingRequest } from "./domains/embeddings/request/EmbeddingRequest.ts"
import type { ImageEvent, ImageList } from "./domains/images/ImageList.ts"
import type { ImageRequest } from "./domains/images/ImageRequest.ts"
import type { HealthResponse, ReportedEndpoints } from "./api/reports/ReportsApi.ts"
import type { HealthSnapshot } from "./engine/health/HealthSnapshot.ts"
import type { PromiseOperations } from "./api/inProcess/Calls.ts"
import type { RouteReport } from "./api/inProcess/CallRecorder.ts"
import type { WebHandler } from "./api/server/makeWebHandler.ts"
import type { Services } from "./layer.ts"
import type { Question } from "./questions/Question.ts"
import type { Ranking } from "./domains/rerank/Ranking.ts"
import type { RerankRequest } from "./domains/rerank/RerankRequest.ts"
import type { SpeechRequest } from "./domains/speech/SpeechRequest.ts"
import type { RoutedTranscript } from "./domains/transcription/Transcript.ts"
import type { TranscriptionRequest } from "./domains/transcription/TranscriptionRequest.ts"
import type { CacheOption } from "./routing/cache/CacheWish.ts"
import type { Explanation } from "./routing/Explanation.ts"
import type { VectorEncoding } from "./engine/upstreams/EmbeddingCapability.ts"
import type { RecordedRequest } from "./domains/simulator/recording/RecordedRequest.ts"
import type { VideoRequest } from "./domains/videos/request/VideoRequest.ts"

/** Who makes a call in process, what cancels it, and who learns how it was routed. */
export interface RoutedCallOptions {
  /** Default: the application itself. */
  readonly caller?: CallerConfig
  readonly signal?: AbortSignal
  /**
   * Whether the call uses the cache of responses, and how long its answer is kept, such as `{ ttlSeconds: 600 }`. Default: as
   * `Options.responseCache` says. See docs/guides/cache-answers.md.
   */
  readonly cache?: CacheOption
  /**
   * Called once before the call returns or throws, and for a stream also when its answer begins, with what is known by
   * then. If the function throws, the call rejects with its error.
   */
  readonly onRoute?: (report: RouteReport) => void
}

/**
 * A running model-routing service inside this process. Make one per process, close it at the end. `Source` is the type of
 * the host's own request that its `authenticate` takes: it is mounted where requests are of that type.
 */
export interface Signalbox<Source = unknown> extends Omit<PromiseOperations, "calibration"> {
  /** Answers a Decision in process. The types of the answers follow from the questions. */
  readonly decide: <const Q extends Readonly<Record<string, Question>>>(
    request: DecideRequest<Q>,
    options?: RoutedCallOptions
  ) => Promise<DecideResult<Q>>
  /**
   * Labels answers of a Decision that was made with `calibration`, by the names of its questions: true or false, a label,
   * or a level. Labelling again replaces.
   */
  readonly label: PromiseOperations["calibration"]["label"]
  /**
   * Reports how well the answers of an account are calibrated: `signalbox.calibration({ model })`. Its members are the
   * operations of the group, such as `signalbox.calibration.refit()`.
   */
  readonly calibration: PromiseOperations["calibration"]["get"] & PromiseOperations["calibration"]
  /** Answers a chat in process, in one piece; `text` is what it says. Parameters of a provider go into `extra`. */
  readonly chat: (request: ChatRequest, options?: RoutedCallOptions) => Promise<InProcessCompletion>
  /**
   * Streams a chat in process; the last chunk has the usage. The call begins with the iteration. It can be iterated
   * once, and leaving the loop ends the call at the provider. Throws a `SignalboxError` when the answer breaks off.
   */
  readonly streamChat: (
    request: ChatRequest,
    options?: RoutedCallOptions
  ) => AsyncIterable<ChatChunk>
  /**
   * Answers a conversation in process, in one piece. The conversation has the neutral form, for adapters of other
   * libraries. `fields` are the fields of a chat request that the conversation cannot hold, checked as over HTTP.
   */
  readonly answer: (
    conversation: Conversation,
    fields: AnswerFields,
    options?: RoutedCallOptions
  ) => Promise<ChatAnswer>
  /**
   * Like `answer`, in pieces, from `start` to `end`. The call begins with the iteration. It can be iterated once, and leaving
   * the loop ends the call at the provider. Throws a `SignalboxError` when the answer breaks off.
   */
  readonly streamAnswer: (
    conversation: Conversation,
    fields: AnswerFields,
    options?: RoutedCallOptions
  ) => AsyncIterable<AnswerPiece>
  /**
   * Makes a vector of each input in process, in their order: numbers, or text with `encoding_format: "base64"`. Only
   * endpoints of the requested model are tried.
   */
  readonly embed: <const Encoding extends VectorEncoding = "float">(
    request: EmbeddingRequest<Encoding>,
    options?: RoutedCallOptions
  ) => Promise<EmbeddingList<Encoding>>
  /** Ranks documents by relevance in process, best first. Only endpoints of the requested model are tried. */
  readonly rerank: (request: RerankRequest, options?: RoutedCallOptions) => Promise<Ranking>
  /**
   * Speaks a text in process, in pieces of audio in the `response_format` of the request (default `pcm`). The call begins with
   * the iteration. It can be iterated once, and leaving the loop ends the call at the provider. Throws a `SignalboxError`
   * when the audio breaks off. Only endpoints of the requested model are tried.
   */
  readonly speak: (request: SpeechRequest, options?: RoutedCallOptions) => AsyncIterable<Uint8Array>
  /** Writes down what a recording says, in process. Only endpoints of the requested model are tried. */
  readonly transcribe: (
    request: TranscriptionRequest,
    options?: RoutedCallOptions
  ) => Promise<RoutedTranscript>
  /**
   * Makes images in process, as files in base64. Only endpoints of the requested model are tried. A failed or cancelled
   * request costs nothing. Parameters of a provider go into `extra`.
   */
  readonly generateImages: (
    request: ImageRequest,
    options?: RoutedCallOptions
  ) => Promise<ImageList>
  /**
   * Like `generateImages`, in events: previews where the provider makes them, then the images; the last one has the usage. The
   * call begins with the iteration. It can be iterated once, and leaving the loop ends the call at the provider. Throws a
   * `SignalboxError` when the answer breaks off.
   */
  readonly streamImages: (
    request: ImageRequest,
    options?: RoutedCallOptions
  ) => AsyncIterable<ImageEvent>
  /**
   * Answers a request of Anthropic's Messages API in process, in one piece, at a model of any provider. `betas` are for
   * providers with this API; further fields of it go into `extra`.
   */
  readonly messages: (
    request: MessagesRequest,
    options?: RoutedCallOptions & { readonly betas?: ReadonlyArray<string> }
  ) => Promise<Message>
  /**
   * Streams a message in process, from `message_start` to `message_stop`; `message_delta` has the usage. The call begins
   * with the iteration. It can be iterated once, and leaving the loop ends the call at the provider. Throws a
   * `SignalboxError` when the answer breaks off.
   */
  readonly streamMessages: (
    request: MessagesRequest,
    options?: RoutedCallOptions & { readonly betas?: ReadonlyArray<string> }
  ) => AsyncIterable<MessageEvent>
  /**
   * Answers a request of OpenAI's Responses API in process, in one piece, at a model of any provider. Nothing is stored.
   * Parameters of a provider go into `extra`.
   */
  readonly responses: (
    request: ResponsesRequest,
    options?: RoutedCallOptions
  ) => Promise<ResponseObject>
  /**
   * Streams a response in process, from `response.created` to `response.completed` or `response.incomplete`, which has
   * the whole response and its usage. The call begins with the iteration. It can be iterated once, and leaving the loop
   * ends the call at the provider. Throws a `SignalboxError` when the answer breaks off.
   */
  readonly streamResponses: (
    request: ResponsesRequest,
    options?: RoutedCallOptions
  ) => AsyncIterable<ResponsesEvent>
  /**
   * Whether the instance answers `path` (below the mount; a query is allowed): everything below `/api/v1` and
   * `/api/alpha`, even where no operation exists. Does not touch the request.
   */
  readonly match: (method: string, path: string) => boolean
  /**
   * The handler of web-standard requests. `mount` is where the host serves it, such as `/ai`. Paths that the
   * instance does not serve get a 404 envelope, so a host with other routes asks `match` first. On Node an adapter is
   * faster.
   */
  readonly fetch: WebHandler<Source>
  /**
   * The plan that a request would get, with reasons, without calling a provider. Pass the `seed`, the `health` and
   * the `affinity` of an explanation to repeat it.
   */
  readonly explain: (
    request:
      | DecideRequest<Readonly<Record<string, Question>>>
      | ChatRequest
      | EmbeddingRequest
      | ImageRequest
      | RerankRequest
      | MessagesRequest
      | ResponsesRequest
      | SpeechRequest
      | TranscriptionRequest
      | VideoRequest,
    options?: {
      readonly caller?: CallerConfig
      readonly seed?: number
      readonly health?: HealthSnapshot
      readonly affinity?: Explanation["affinity"]
    }
  ) => Promise<Explanation>
  /**
   * The traffic of all accounts from `since` on (default: a day ago), in the order of time, for `simulate` of
   * `@signalbox/core/simulator`: times, lengths and outcomes, no content. Reads page by page. Throws a `SignalboxError`.
   */
  readonly recording: (
    since?: Date,
    options?: { readonly signal?: AbortSignal }
  ) => AsyncIterable<RecordedRequest>
  /**
   * Readiness, and the health of endpoints: breaker state and cause, next trial, percentiles, samples. `endpoints` is which of
   * those that were tried: `all` (the default), those that are `unhealthy`, or `none`.
   */
  readonly health: (options?: { readonly endpoints?: ReportedEndpoints }) => Promise<HealthResponse>
  /**
   * Replaces upstreams, models or overlays, all or nothing. Running requests keep the configuration they began
   * with. Resolves to the new version. Rejects with a `RangeError` that says what to correct.
   */
  readonly replace: (change: Partial<CatalogInput>) => Promise<number>
  /**
   * Reads the source of the models again, outside of its schedule. Resolves to the version that is served then.
   * Rejects with a `RangeError`, and changes nothing, when the source fails or is invalid.
   */
  readonly refresh: () => Promise<number>
  /**
   * Adds credits to an account, in USD as a decimal string. An account without credits is unlimited; the first grant
   * limits it. Rejects with a `RangeError` when the amount or the account is invalid.
   */
  readonly grantCredits: (usd: string, account?: string) => Promise<void>
  /**
   * Reseals customer credentials, webhook signing secrets and vault secrets under the current sealing key. Resolves
   * to how many were sealed under another key. At 0 the other keys are no longer needed.
   */
  readonly resealCredentials: () => Promise<number>
  /**
   * Makes readiness (`GET /api/v1/signalbox/ready`) answer 503 from now on; other requests are served as before. Call
   * it when a shutdown begins, wait until the load balancer has noticed, then stop listening and `close`.
   */
  readonly drain: () => void
  /**
   * Refuses new requests with 503, waits for running ones until `settings.drainTimeoutMillis`, then releases
   * everything. Safe to call twice: both calls end when the instance is closed.
   */
  readonly close: () => Promise<void>
  /** The metrics in Prometheus' text format, for hosts that serve them themselves. */
  readonly metrics: () => Promise<string>
  /** The services, for adapters and Effect hosts. */
  readonly context: Context.Context<Services>
}
