/** Calls for Effect hosts whose code is loaded with the first of them: embeddings, reranks, images, speech and transcriptions. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { EmbeddingList } from "./domains/embeddings/EmbeddingList.ts"
import type { EmbedError } from "./domains/embeddings/embed.ts"
import type { Embeddings } from "./domains/embeddings/Embeddings.ts"
import type { EmbeddingRequest } from "./domains/embeddings/request/EmbeddingRequest.ts"
import type { VectorEncoding } from "./engine/upstreams/EmbeddingCapability.ts"
import type { Ranking } from "./domains/rerank/Ranking.ts"
import type { RerankCallError } from "./domains/rerank/rerank.ts"
import type { RerankRequest } from "./domains/rerank/RerankRequest.ts"
import type { Reranks } from "./domains/rerank/Reranks.ts"
import type { ImageCallError } from "./domains/images/generateImages.ts"
import type { ImageEvent, ImageList } from "./domains/images/ImageList.ts"
import type { ImageRequest } from "./domains/images/ImageRequest.ts"
import type { ImageError, Images } from "./domains/images/Images.ts"
import type { SpeechCallError } from "./domains/speech/speak.ts"
import type { Speeches, SpeechStream } from "./domains/speech/Speeches.ts"
import type { SpeechRequest } from "./domains/speech/SpeechRequest.ts"
import type { RoutedTranscript } from "./domains/transcription/Transcript.ts"
import type { TranscriptionCallError } from "./domains/transcription/transcribe.ts"
import type { TranscriptionRequest } from "./domains/transcription/TranscriptionRequest.ts"
import type { Transcriptions } from "./domains/transcription/Transcriptions.ts"
import type { CallerConfig } from "./tenants/auth/CallerConfig.ts"
import type { Callers } from "./tenants/auth/Callers.ts"
import { loadOnce } from "./values/layerOnDemand.ts"

/** Loads a call, and makes it of the services of the caller. */
const withCall = <Services, Call, A, E, R>(
  load: Effect.Effect<(services: Context.Context<Services>) => Call>,
  run: (call: Call) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | Services> =>
  Effect.flatMap(load, (make) =>
    Effect.contextWith((services: Context.Context<Services>) => run(make(services)))
  )

const loadEmbed = Effect.map(
  Effect.suspend(loadOnce(() => import("./domains/embeddings/embed.ts"))),
  ({ makeEmbed }) => makeEmbed
)

/**
 * Makes a vector of each input of `request` for `caller` (default: the application itself), as numbers, or as text with
 * `encoding_format: "base64"`. What JSON cannot express is an `InvalidRequest`.
 */
export const embed = <const Encoding extends VectorEncoding = "float">(
  request: EmbeddingRequest<Encoding>,
  caller?: CallerConfig
): Effect.Effect<EmbeddingList<Encoding>, EmbedError, Callers | Embeddings> =>
  withCall(loadEmbed, (embed) => embed(request, caller))

const loadRerank = Effect.map(
  Effect.suspend(loadOnce(() => import("./domains/rerank/rerank.ts"))),
  ({ makeRerank }) => makeRerank
)

/**
 * Ranks the documents of `request` by their relevance to its query, for `caller` (default: the application itself). What
 * JSON cannot express is an `InvalidRequest`.
 */
export const rerank = (
  request: RerankRequest,
  caller?: CallerConfig
): Effect.Effect<Ranking, RerankCallError, Callers | Reranks> =>
  withCall(loadRerank, (rerank) => rerank(request, caller))

const loadImages = Effect.map(
  Effect.suspend(loadOnce(() => import("./domains/images/generateImages.ts"))),
  ({ makeGenerateImages }) => makeGenerateImages
)

/** Makes the images of `request`, for `caller` (default: the application itself). What JSON cannot express is an `InvalidRequest`. */
export const generateImages = (
  request: ImageRequest,
  caller?: CallerConfig
): Effect.Effect<ImageList, ImageCallError, Callers | Images> =>
  withCall(loadImages, ({ generate }) => generate(request, caller))

/** Like `generateImages`, in events. Fails when the answer breaks off. Closing the scope ends the call at the provider. */
export const streamImages = (
  request: ImageRequest,
  caller?: CallerConfig
): Effect.Effect<
  Stream.Stream<ImageEvent, ImageError>,
  ImageCallError,
  Callers | Images | Scope.Scope
> => withCall(loadImages, ({ stream }) => stream(request, caller))

const loadSpeech = Effect.map(
  Effect.suspend(loadOnce(() => import("./domains/speech/speak.ts"))),
  ({ makeSpeak }) => makeSpeak
)

/** Speaks the text of `request`. Succeeds with the first bytes; closing the scope ends the call at the provider. */
export const speak = (
  request: SpeechRequest,
  caller?: CallerConfig
): Effect.Effect<SpeechStream, SpeechCallError, Callers | Speeches | Scope.Scope> =>
  withCall(loadSpeech, (speak) => speak(request, caller))

const loadTranscription = Effect.map(
  Effect.suspend(loadOnce(() => import("./domains/transcription/transcribe.ts"))),
  ({ makeTranscribe }) => makeTranscribe
)

/** Writes down the recording of `request`. */
export const transcribe = (
  request: TranscriptionRequest,
  caller?: CallerConfig
): Effect.Effect<RoutedTranscript, TranscriptionCallError, Callers | Transcriptions> =>
  withCall(loadTranscription, (transcribe) => transcribe(request, caller))
