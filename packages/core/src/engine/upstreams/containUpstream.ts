/** Wraps an upstream so that its code always ends with an answer or an `UpstreamFailure`. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { redactDefects } from "../secrets/redact.ts"
import type { ChatCapability } from "./ChatCapability.ts"
import type { DecisionCapability } from "./DecisionCapability.ts"
import type { EmbeddingCapability } from "./EmbeddingCapability.ts"
import type { ImageCapability } from "./ImageCapability.ts"
import type { RerankCapability } from "./RerankCapability.ts"
import type { SpeechCapability } from "./SpeechCapability.ts"
import type { TranscriptionCapability } from "./TranscriptionCapability.ts"
import { isObject } from "../../values/json/guards.ts"
import {
  isChatEvents,
  isChatReply,
  isDecisionReply,
  isEmbeddingReply,
  isImageReply,
  isRerankReply,
  isSpeechEvents,
  isTranscriptionReply,
  isTokenUsage,
  isVideoSubmission,
  isVideoContent,
  isVideoReport,
  isVideoUsage
} from "./contractShapes.ts"
import type { Upstream } from "./Upstream.ts"
import { UpstreamDefect, type UpstreamFailure } from "./failures/UpstreamFailure.ts"
import type { VideoCapability } from "./VideoCapability.ts"
import {
  acceptAny,
  type Call,
  contain,
  containPushStream,
  containStream,
  logDefect,
  toDefectFailure
} from "./contain.ts"

/**
 * Hosts write upstreams themselves: their code may throw, reject, die, interrupt itself, fail with anything, or break
 * its contract. All of that becomes an `UpstreamFailure`. The defect is logged without secrets, and is not part of the
 * failure.
 */
export const containUpstream = (upstream: Upstream): Upstream => {
  const { chat, decisions, embeddings, images, rerank, slug, speech, transcription, videos } =
    upstream
  return overrideMembers(upstream, {
    ...(isObject(chat) ? { chat: containChat(slug, chat) } : undefined),
    ...(isObject(decisions) ? { decisions: containDecisions(slug, decisions) } : undefined),
    ...(isObject(embeddings) ? { embeddings: containEmbeddings(slug, embeddings) } : undefined),
    ...(isObject(images) ? { images: containImages(slug, images) } : undefined),
    ...(isObject(rerank) ? { rerank: containRerank(slug, rerank) } : undefined),
    ...(isObject(speech) ? { speech: containSpeech(slug, speech) } : undefined),
    ...(isObject(transcription)
      ? { transcription: containTranscription(slug, transcription) }
      : undefined),
    ...(isObject(videos) ? { videos: containVideos(slug, videos) } : undefined)
  })
}

const containChat = (slug: string, chat: ChatCapability): ChatCapability =>
  overrideMembers(chat, {
    complete: (call) => contain(slug, call, () => chat.complete(call), isChatReply),
    stream: (call) => containPushStream(slug, call, () => chat.stream(call), isChatEvents),
    estimateWorstCase: (call) =>
      runOrThrowDefect(slug, call, () => chat.estimateWorstCase(call), isTokenUsage)
  })

const containDecisions = (slug: string, decisions: DecisionCapability): DecisionCapability =>
  overrideMembers(decisions, {
    decide: (call) => contain(slug, call, () => decisions.decide(call), isDecisionReply),
    estimateWorstCase: (call) =>
      runOrThrowDefect(slug, call, () => decisions.estimateWorstCase(call), isTokenUsage)
  })

const containEmbeddings = (slug: string, embeddings: EmbeddingCapability): EmbeddingCapability =>
  overrideMembers(embeddings, {
    embed: (call) => contain(slug, call, () => embeddings.embed(call), isEmbeddingReply),
    maxInputs: (model) => findMaxInputs(embeddings, model),
    estimateWorstCase: (call) =>
      runOrThrowDefect(slug, call, () => embeddings.estimateWorstCase(call), isTokenUsage)
  })

/** Undefined for anything but a count: the upstream then says itself that a call has too many. */
const findMaxInputs = (
  { maxInputs: most }: EmbeddingCapability,
  model: string
): number | undefined => {
  try {
    const count = typeof most === "function" ? most(model) : most
    return Number.isSafeInteger(count) && count! >= 1 ? count : undefined
  } catch {
    return undefined
  }
}

const containRerank = (slug: string, rerank: RerankCapability): RerankCapability =>
  overrideMembers(rerank, {
    rerank: (call) => contain(slug, call, () => rerank.rerank(call), isRerankReply),
    estimateWorstCase: (call) =>
      runOrThrowDefect(slug, call, () => rerank.estimateWorstCase(call), isTokenUsage)
  })

const containSpeech = (slug: string, speech: SpeechCapability): SpeechCapability =>
  overrideMembers(speech, {
    speak: (call) => containPushStream(slug, call, () => speech.speak(call), isSpeechEvents),
    estimateWorstCase: (call) =>
      runOrThrowDefect(slug, call, () => speech.estimateWorstCase(call), isTokenUsage)
  })

const containTranscription = (
  slug: string,
  transcription: TranscriptionCapability
): TranscriptionCapability =>
  overrideMembers(transcription, {
    transcribe: (call) =>
      contain(slug, call, () => transcription.transcribe(call), isTranscriptionReply),
    estimateWorstCase: (call) =>
      runOrThrowDefect(slug, call, () => transcription.estimateWorstCase(call), isTokenUsage)
  })

const containImages = (slug: string, images: ImageCapability): ImageCapability =>
  overrideMembers(images, {
    generate: (call) => contain(slug, call, () => images.generate(call), isImageReply),
    estimateWorstCase: (call) =>
      runOrThrowDefect(slug, call, () => images.estimateWorstCase(call), isTokenUsage)
  })

const containVideos = (slug: string, videos: VideoCapability): VideoCapability =>
  overrideMembers(videos, {
    submit: (call) => contain(slug, call, () => videos.submit(call), isVideoSubmission),
    poll: (job) => contain(slug, job, () => videos.poll(job), isVideoReport),
    getContent: (wanted) =>
      Effect.map(
        contain(slug, wanted, () => videos.getContent(wanted), isVideoContent),
        (content) => ({
          ...content,
          bytes: containStream(slug, wanted, () => content.bytes)
        })
      ),
    estimateWorstCase: (call) =>
      runOrThrowDefect(slug, call, () => videos.estimateWorstCase(call), isVideoUsage),
    ...(videos.cancel === undefined
      ? undefined
      : { cancel: (job) => contain(slug, job, () => videos.cancel!(job), acceptAny) }),
    ...(videos.remove === undefined
      ? undefined
      : { remove: (job) => contain(slug, job, () => videos.remove!(job), acceptAny) })
  })

/** `original` with other members; a class of the host keeps its prototype and its `this`. */
const overrideMembers = <A extends object>(original: A, members: Partial<A>): A =>
  // The type of an object that inherits from `original` is not known to `Object.create`.
  Object.create(original, Object.getOwnPropertyDescriptors(members)) as A

/** For synchronous code: throws only `UpstreamDefect`. */
const runOrThrowDefect = <A>(
  slug: string,
  { credential }: Call,
  run: () => A,
  isAllowed: (value: unknown) => boolean
): A => {
  try {
    const value = run()
    if (isAllowed(value)) return value
  } catch (defect) {
    throw new UpstreamDefect(slug, redactDefects(Cause.die(defect), credential))
  }
  throw new UpstreamDefect(slug, Cause.die(new TypeError("estimateWorstCase returned no usage")))
}

/** Converts an `UpstreamDefect` to a failure; other defects are bugs of Signalbox and propagate. */
export const catchUpstreamDefect = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | UpstreamFailure, R> =>
  Effect.catchDefect(effect, (defect) =>
    defect instanceof UpstreamDefect
      ? Effect.andThen(logDefect(defect), Effect.fail(toDefectFailure("connect")))
      : Effect.die(defect)
  )
