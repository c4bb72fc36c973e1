/** Wraps an upstream so that its code always ends with an answer or an `UpstreamFailure`. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { redactDefects } from "../secrets/redact.ts"
import {
  fromStream,
  isPushStream,
  type Push,
  type PushStream
} from "../../values/push/PushStream.ts"
import type { ChatCapability } from "./ChatCapability.ts"
import type { DecisionCapability } from "./DecisionCapability.ts"
import type { EmbeddingCapability } from "./EmbeddingCapability.ts"
import type { ImageCapability } from "./ImageCapability.ts"
import type { RerankCapability } from "./RerankCapability.ts"
import type { SpeechCapability } from "./SpeechCapability.ts"
import type { TranscriptionCapability } from "./TranscriptionCapability.ts"
import { adviseOnAnswer } from "./adviseOnAnswer.ts"
import { isExit } from "../../values/eager.ts"
import { withContext } from "../../values/Pending.ts"
import * as Step from "../../values/Step.ts"
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
import {
  FailureKind,
  type FailurePhase,
  UpstreamDefect,
  UpstreamFailure
} from "./failures/UpstreamFailure.ts"
import type { VideoCapability } from "./VideoCapability.ts"

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

/** The secret of a call, which no log may repeat. */
interface Call {
  readonly credential?: Redacted.Redacted
}

const acceptAny = (): true => true

const contain = <A, R>(
  slug: string,
  call: Call,
  run: () => Effect.Effect<A, UpstreamFailure, R>,
  isAllowed: (value: unknown) => boolean
): Effect.Effect<A, UpstreamFailure, R> => {
  let effect
  try {
    effect = run()
  } catch (defect) {
    // No effect ran, so the provider was not called.
    return isUpstreamFailure(defect)
      ? Effect.fail(defect)
      : failWithDefect(slug, call, Cause.die(defect), "connect")
  }
  if (!Effect.isEffect(effect)) {
    return failWithDefect(slug, call, Cause.die(new TypeError("it returned no Effect")), "connect")
  }
  if (isExit(effect) && Exit.isSuccess(effect)) {
    return isAllowed(effect.value) ? effect : failWithViolation(slug, [effect.value])
  }
  return Step.matchCause(effect, new Containment<A>(slug, call, isAllowed))
}

/** What becomes of the result of one call. */
class Containment<A> {
  readonly #slug: string
  readonly #call: Call
  readonly #isAllowed: (value: unknown) => boolean

  constructor(slug: string, call: Call, isAllowed: (value: unknown) => boolean) {
    this.#slug = slug
    this.#call = call
    this.#isAllowed = isAllowed
  }

  onSuccess(value: A): Effect.Effect<A, UpstreamFailure> {
    return this.#isAllowed(value) ? Effect.succeed(value) : failWithViolation(this.#slug, [value])
  }

  onFailure(cause: Cause.Cause<unknown>): Effect.Effect<never, UpstreamFailure> {
    return toFailure(this.#slug, this.#call, cause)
  }
}

const containStream = <A, R>(
  slug: string,
  call: Call,
  run: () => Stream.Stream<A, UpstreamFailure, R>
): Stream.Stream<A, UpstreamFailure, R> =>
  Stream.suspend(() => {
    const stream: unknown = run()
    return Stream.isStream(stream)
      ? (stream as ReturnType<typeof run>)
      : Stream.die(new TypeError("it returned no Stream"))
  }).pipe(Stream.catchCause((cause) => Stream.fromEffect(toFailure(slug, call, cause))))

const containPushStream = <A, R>(
  slug: string,
  call: Call,
  start: () => Stream.Stream<A, UpstreamFailure, R> | PushStream<A, UpstreamFailure, R>,
  areAllowed: (values: ReadonlyArray<unknown>) => boolean
): PushStream<A, UpstreamFailure, R> => ({
  run: (push) => {
    let violating: ReadonlyArray<unknown> | undefined
    const check: Push<A> = (values) => {
      if (violating !== undefined) return violation
      if (!areAllowed(values)) {
        violating = values
        return violation
      }
      return values.length === 0 ? Effect.void : push(values)
    }
    const running = withContext((): Effect.Effect<void, UpstreamFailure, R> => {
      const source: unknown = start()
      if (!Stream.isStream(source) && !isPushStream(source))
        return Effect.die(new TypeError("it returned no Stream"))
      const running: unknown = fromStream(source as ReturnType<typeof start>).run(check)
      return Effect.isEffect(running)
        ? (running as Effect.Effect<void, UpstreamFailure, R>)
        : Effect.die(new TypeError("its stream returned no Effect"))
    })
    return Step.matchCause(running, {
      onSuccess: () => Effect.void,
      onFailure: (cause) =>
        violating === undefined ? toFailure(slug, call, cause) : failWithViolation(slug, violating)
    })
  }
})

/** Keeps an `UpstreamFailure`, whether it failed or was thrown; everything else is a defect. */
const toFailure = (
  slug: string,
  call: Call,
  cause: Cause.Cause<unknown>
): Effect.Effect<never, UpstreamFailure> => {
  const failure = cause.reasons.map(getThrown).find(isUpstreamFailure)
  return failure === undefined ? failWithDefect(slug, call, cause) : Effect.fail(failure)
}

const getThrown = (reason: Cause.Reason<unknown>): unknown => {
  if (Cause.isFailReason(reason)) return reason.error
  return Cause.isDieReason(reason) ? reason.defect : undefined
}

const failWithDefect = (
  slug: string,
  { credential }: Call,
  cause: Cause.Cause<unknown>,
  phase?: FailurePhase
): Effect.Effect<never, UpstreamFailure> =>
  Effect.andThen(
    logDefect(new UpstreamDefect(slug, redactDefects(cause, credential))),
    Effect.fail(toDefectFailure(phase))
  )

const toDefectFailure = (phase: FailurePhase | undefined): UpstreamFailure =>
  new UpstreamFailure({
    kind: "defect",
    detail: "the provider's code has a defect",
    ...(phase === undefined ? undefined : { phase })
  })

/** Checks the fields, because a host may have a second copy of this package. */
const isUpstreamFailure = (error: unknown): error is UpstreamFailure =>
  isObject(error) && error["_tag"] === "UpstreamFailure" && failureKinds.has(error["kind"])

const failureKinds: ReadonlySet<unknown> = new Set(FailureKind.literals)

const contractViolation = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the provider's code returned an invalid answer"
})

/** Logs what the host has to change, where that is known. */
const failWithViolation = (
  slug: string,
  values: ReadonlyArray<unknown>
): Effect.Effect<never, UpstreamFailure> => {
  const failed = Effect.fail(contractViolation)
  for (const value of values) {
    const advice = adviseOnAnswer(value)
    if (advice === undefined) continue
    const defect = new UpstreamDefect(slug, Cause.die(new TypeError(advice)))
    return Effect.andThen(logDefect(defect), failed)
  }
  return failed
}

/** Ends a stream. */
const violation = Effect.die(contractViolation)

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

export const logDefect = ({ reason, slug }: UpstreamDefect): Effect.Effect<void> =>
  Effect.logError(`the code of the upstream "${slug}" has a defect`, reason)

/** Converts an `UpstreamDefect` to a failure; other defects are bugs of Signalbox and propagate. */
export const catchUpstreamDefect = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | UpstreamFailure, R> =>
  Effect.catchDefect(effect, (defect) =>
    defect instanceof UpstreamDefect
      ? Effect.andThen(logDefect(defect), Effect.fail(toDefectFailure("connect")))
      : Effect.die(defect)
  )
