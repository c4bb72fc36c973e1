/** Speaks a text at one endpoint, as a stream of bytes. */
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as HttpClient from "effect/http/HttpClient"
import { includesParameter } from "../../engine/catalog/endpoint/SupportedParameters.ts"
import { runStream } from "../../routing/attempt/runStream.ts"
import { unreadResponse } from "../../routing/attempt/unreadResponse.ts"
import type { Candidate } from "../../routing/Candidate.ts"
import { selectProviderOptions } from "../../routing/providerOptions.ts"
import type {
  AttemptReports,
  AttemptSuccess,
  HedgingTraits,
  RouteTarget,
  RouteWork
} from "../../routing/RouteWork.ts"
import { selectSupported } from "../../routing/selectSupported.ts"
import type { SettingsShape } from "../../instance/Settings.ts"
import type {
  SpeechCall,
  SpeechCapability,
  SpeechEvent
} from "../../engine/upstreams/SpeechCapability.ts"
import { UpstreamDefect, UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { isInFormat, sniffedBytes } from "../../values/audio/AudioFormat.ts"
import type { PendingRuns } from "../../values/PendingRuns.ts"
import { fromStream, type Push } from "../../values/push/PushStream.ts"
import * as Step from "../../values/Step.ts"
import { isValidUsage, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import { withTimer } from "../../values/withTimer.ts"
import type { ParsedSpeech } from "./parseSpeechRequest.ts"

type Target = RouteTarget<SpeechCapability>
type SpeechEnd = Extract<SpeechEvent, { readonly type: "end" }>

/** Receives the audio. */
export interface SpeechSink {
  /** Called once, with the first bytes: no fallback follows. */
  readonly opened: (candidate: Candidate) => void
  /** Waits while the reader is too far behind. */
  readonly push: Push<Uint8Array>
  /** Outlive the request: the call of a complete answer is closed there. */
  readonly afterwards: PendingRuns
}

interface SpeechWorkOptions {
  readonly clock: Clock.Clock
  readonly settings: SettingsShape
}

export class SpeechWork implements RouteWork<SpeechCapability, SpeechEnd, HttpClient.HttpClient> {
  readonly #parsed: ParsedSpeech
  readonly #sink: SpeechSink
  readonly #options: SpeechWorkOptions

  constructor(parsed: ParsedSpeech, sink: SpeechSink, options: SpeechWorkOptions) {
    this.#parsed = parsed
    this.#sink = sink
    this.#options = options
  }

  /** Only for callers that ask: the provider that is left charges the whole text. */
  get hedging(): HedgingTraits {
    return { kind: "speech", isDefault: false }
  }

  /** The reservation outlives the stream. */
  get leaseMillis(): number {
    const { settings } = this.#options
    return settings.streamTimeoutMillis + settings.reservationLeaseMillis
  }

  getWorstCase(target: Target): TokenUsage {
    const { characters } = this.#parsed
    return { ...target.capability.estimateWorstCase(toCall(this.#parsed, target)), characters }
  }

  getUnreportedUsage(target: Target): TokenUsage {
    return this.getWorstCase(target)
  }

  run(
    target: Target,
    { commit, reportChange: onChange, reportUsage: spent }: AttemptReports
  ): Effect.Effect<AttemptSuccess<SpeechEnd>, UpstreamFailure, HttpClient.HttpClient> {
    const parsed = this.#parsed
    const refusal = findRefusal(parsed, target)
    if (refusal !== undefined) return Effect.fail(refusal)
    const { clock, settings } = this.#options
    const { afterwards, opened, push } = this.#sink
    let isOpen = false
    let end: SpeechEnd = { type: "end" }
    /** The first bytes, until there are enough to tell the format. */
    let held: ReadonlyArray<Uint8Array> | undefined = []
    const receive = (events: ReadonlyArray<SpeechEvent>): Effect.Effect<void, UpstreamFailure> => {
      let pieces: ReadonlyArray<Uint8Array> = events.flatMap((event) =>
        event.type === "audio" ? [event.bytes] : []
      )
      const last = events.at(-1)
      if (last?.type === "end") end = last
      if (held !== undefined) {
        held = [...held, ...pieces]
        const start = takeStart(held)
        if (start.length < sniffedBytes && last?.type !== "end") return Effect.void
        if (start.length === 0) return noAudio
        if (!isInFormat(parsed.format, start)) return otherFormat
        isOpen = commit()
        if (!isOpen) return Effect.never
        pieces = held
        held = undefined
        opened(target.candidate)
      }
      if (pieces.length === 0) return Effect.void
      const taken = push(pieces)
      return Exit.isExit(taken)
        ? taken
        : withTimer(taken, clock, settings.unreadResponseTimeoutMillis, unreadRules)
    }
    const chargeFailure = (exit: Exit.Exit<void, UpstreamFailure>): Effect.Effect<void> => {
      // The price is that of the whole text, even if only a part was heard.
      if (Exit.isFailure(exit) && isOpen) {
        const failure = exit.cause.reasons.find(Cause.isFailReason)?.error
        spent(failure?.usage ?? this.#toUsage(target, end), failure?.usage === undefined)
      }
      return Effect.void
    }
    const events = fromStream(target.capability.speak({ ...toCall(parsed, target), onChange }))
    const ran = runStream(events, receive, { afterwards, clock, isTerminal: isEnd, settings })
    return Step.map(Step.onExit(ran, chargeFailure), () => ({
      value: end,
      usage: this.#toUsage(target, end),
      ...(isValidUsage(end.usage) || isExact(target) ? undefined : { isEstimated: true }),
      ...(end.cost === undefined ? undefined : { cost: end.cost }),
      ...(end.model === undefined ? undefined : { model: end.model })
    }))
  }

  /** Characters are counted here. Tokens that are not reported are at most those that were reserved. */
  #toUsage(target: Target, { usage }: SpeechEnd): TokenUsage {
    const { characters } = this.#parsed
    if (isValidUsage(usage)) return { ...usage, characters }
    const tokens = isExact(target) ? noTokens : this.#findWorstCase(target)
    return { ...tokens, characters }
  }

  /** A defect in the provider's estimate must not cost the caller audio that exists. */
  #findWorstCase(target: Target): TokenUsage {
    try {
      return this.getWorstCase(target)
    } catch (defect) {
      if (defect instanceof UpstreamDefect) return noTokens
      throw defect
    }
  }
}

const noTokens: TokenUsage = { inputTokens: 0, outputTokens: 0 }

/** Whether the characters are all that it charges. */
const isExact = ({ candidate }: Target): boolean => {
  const { approximate } = candidate.price
  return approximate.character > 0 && approximate.prompt === 0 && approximate.completion === 0
}

const isEnd = ({ type }: SpeechEvent): boolean => type === "end"

const toCall = (
  { format, parameters, providerOptions, reference, request }: ParsedSpeech,
  { candidate: { endpoint }, credential }: Target
): SpeechCall => {
  const { input, instructions, speed, voice = endpoint.speech?.defaultVoice } = request
  const lacks = (name: string) => includesParameter(endpoint.supportedParameters, name) === false
  return {
    model: endpoint.upstreamModel,
    input,
    format,
    ...(typeof voice === "object"
      ? { voice: voice.id, isOwnVoice: true }
      : voice !== undefined && { voice }),
    ...(instructions === undefined || lacks("instructions") ? undefined : { instructions }),
    ...(speed === undefined || lacks("speed") ? undefined : { speed }),
    ...(reference === undefined ? undefined : { reference }),
    parameters: {
      ...selectSupported(parameters, endpoint.supportedParameters),
      ...selectProviderOptions(providerOptions, endpoint.provider)
    },
    ...(credential === undefined ? undefined : { credential })
  }
}

/** What the upstream need not be asked. */
const findRefusal = (
  { format, request }: ParsedSpeech,
  { candidate: { endpoint }, capability }: Target
): UpstreamFailure | undefined => {
  const { formats, needsVoice = false } = capability
  const made = typeof formats === "function" ? formats(endpoint.upstreamModel) : formats
  if (made?.includes(format) === false) {
    return refuse(`response_format: ${format} is not made there, but ${made.join(", ")}`)
  }
  const hasVoice = request.voice !== undefined || endpoint.speech?.defaultVoice !== undefined
  return needsVoice && !hasVoice
    ? refuse("voice: the model has no default, so name one")
    : undefined
}

const refuse = (detail: string): UpstreamFailure =>
  new UpstreamFailure({ kind: "unsupported_parameter", detail })

const takeStart = (pieces: ReadonlyArray<Uint8Array>): Uint8Array =>
  Uint8Array.from(pieces.flatMap((piece) => [...piece.subarray(0, sniffedBytes)])).subarray(
    0,
    sniffedBytes
  )

const noAudio = Effect.fail(
  new UpstreamFailure({ kind: "invalid_answer", detail: "the answer has no audio" })
)

const otherFormat = Effect.fail(
  new UpstreamFailure({
    kind: "invalid_answer",
    detail: "the audio has another format than the requested one"
  })
)

/** A reader that stops must not hold a connection of the provider. */
const unreadRules = { onTimeout: () => unreadResponse }
