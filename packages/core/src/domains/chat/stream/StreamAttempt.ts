/** Receives one streamed answer of one endpoint, and knows what it costs when it breaks off. */
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as HttpClient from "effect/http/HttpClient"
import type { Candidate } from "../../../routing/Candidate.ts"
import { unreadResponse } from "../../../routing/attempt/unreadResponse.ts"
import { isAbandoned } from "../../../routing/attempt/assessCharge.ts"
import { runStream } from "../../../routing/attempt/runStream.ts"
import type {
  AttemptSuccess,
  ChangeReporter,
  RouteTarget,
  UsageReporter
} from "../../../routing/RouteWork.ts"
import type { SettingsShape } from "../../../instance/Settings.ts"
import type {
  ChatCapability,
  ChatDelta,
  ChatEvent,
  ChatDeltaEvent,
  ChatReply,
  ChatMetadata
} from "../../../engine/upstreams/ChatCapability.ts"
import type {
  FailureKind,
  UpstreamFailure
} from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import type { PendingRuns } from "../../../values/PendingRuns.ts"
import { fromStream, type Push } from "../../../values/push/PushStream.ts"
import { readMonotonicMillis } from "../../../values/SteadyTime.ts"
import * as Step from "../../../values/Step.ts"
import { withTimer } from "../../../values/withTimer.ts"
import { type TokenUsage, isValidUsage } from "../../../values/usage/TokenUsage.ts"
import type { ServerCalls } from "../../../values/usage/ModelUsage.ts"
import { oneSearch } from "../../../conversation/serverTools/readsByItself.ts"
import { isCounted, resolveUsage, type ToldUsage } from "../estimateUsage.ts"
import { makeSayableReader, type SayableReader, unsayableFailure } from "../findUnsayable.ts"
import type { CollectedPieces } from "../chatCaching.ts"
import type { ParsedChat } from "../request/parseChatRequest.ts"
import { toChatCall } from "../toChatCall.ts"
import {
  emptyAnswerFailure,
  errorFinishFailure,
  findServedAs,
  isErrorReason,
  toServed
} from "../toServed.ts"
import type { ChatAccumulator } from "./ChatAccumulator.ts"
import type { StreamFilter } from "../../../routing/filters/FilterReport.ts"

/** Receives the answer. */
export interface ChatSink {
  /** Called once, with the first piece: no fallback follows. `isCached`: of a stored answer. */
  readonly opened: (candidate: Candidate, isCached?: boolean) => void
  /** Waits while the reader is too far behind. */
  readonly push: Push<ChatDeltaEvent>
  readonly said: ChatAccumulator
  /** Outlive the request: the call of a complete answer is closed there. */
  readonly afterwards: PendingRuns
}

export interface StreamWorkOptions {
  readonly clock: Clock.Clock
  readonly settings: SettingsShape
}

export interface StreamListeners {
  readonly spent: UsageReporter
  readonly commit: () => boolean
  readonly onChange: ChangeReporter
}

/** Takes the pieces for the cache of responses, once it is asked to. */
interface Collector {
  readonly collected?: CollectedPieces
}

/** One streamed answer of one endpoint. A class, because every open stream has one. */
export class StreamAttempt {
  readonly #collector: Collector
  readonly #sink: ChatSink
  readonly #options: StreamWorkOptions
  readonly #parsed: ParsedChat
  readonly #target: RouteTarget<ChatCapability>
  readonly #listeners: StreamListeners
  readonly #sayable: SayableReader | undefined
  readonly #screen: StreamFilter | undefined
  #reportedUsage: TokenUsage | undefined
  /** Content followed the reported usage. */
  #isBehind = false
  #report: ChatMetadata = {}
  #citedCalls: ServerCalls | undefined
  #isOpen = false
  #isSilent = true
  /** What the caller is to be told of when the answer begins for it. */
  #held: ReadonlyArray<ChatDeltaEvent> | undefined
  #backpressureMillis = 0
  /** The request that the provider got; undefined: the upstream did not say. */
  #sentBody: unknown

  constructor(
    collector: Collector,
    sink: ChatSink,
    options: StreamWorkOptions,
    parsed: ParsedChat,
    target: RouteTarget<ChatCapability>,
    listeners: StreamListeners
  ) {
    this.#collector = collector
    this.#sink = sink
    this.#options = options
    this.#parsed = parsed
    this.#target = target
    this.#listeners = listeners
    this.#sayable = makeSayableReader(parsed.native.dialect)
    this.#screen = parsed.filtered?.answers?.makeStreamScreen()
  }

  run(): Effect.Effect<AttemptSuccess<ChatReply>, UpstreamFailure, HttpClient.HttpClient> {
    const { clock, settings } = this.#options
    const call = toChatCall(this.#parsed, this.#target, {
      onChange: this.#listeners.onChange,
      onReport: (told) => {
        this.#report = told
      },
      onBody:
        this.#parsed.isEchoed === true
          ? (body) => {
              this.#sentBody = body
            }
          : undefined,
      onUsage: (usage) => {
        this.#isBehind = usage === undefined
        this.#reportedUsage = usage ?? this.#reportedUsage
      }
    })
    const ran = runStream(
      fromStream(this.#target.capability.stream(call)),
      (events) => this.#receive(events),
      { afterwards: this.#sink.afterwards, clock, isTerminal: isEnd, settings }
    )
    return Step.map(
      Step.onExit(ran, (exit) => this.#chargeFailure(exit)),
      () => this.#toSuccess()
    )
  }

  /** Fails when the provider reports an error, or the answer is empty. Ignores everything after `end`. */
  #receive(events: ReadonlyArray<ChatEvent>): Effect.Effect<void, UpstreamFailure> {
    const { push, said } = this.#sink
    const { clock, settings } = this.#options
    let pieces = takeDeltas(events)
    for (const { choices } of pieces) if (choices.some(hasErrorReason)) return errorFinish
    const end = events[pieces.length]
    this.#sayable?.addPieces(pieces)
    if (this.#held !== undefined) pieces = [...this.#held, ...pieces]
    this.#held = this.#sayable?.hasOnlyOmitted() === true ? pieces : undefined
    if (this.#held !== undefined) return end === undefined ? Effect.void : unsayable
    if (pieces.length > 0) this.#isSilent = false
    if (end?.type === "end") {
      if (this.#isSilent && (end.usage?.outputTokens ?? 0) === 0) return emptyAnswer
      const { type: _, ...reported } = end
      this.#report = reported
    }
    const isFirst = !this.#isOpen
    if (isFirst && !this.#open()) return Effect.never
    this.#citedCalls ??= findCalls(pieces)
    if (this.#screen !== undefined) {
      pieces = this.#screen.push(pieces)
      if (end !== undefined) pieces = [...pieces, ...this.#screen.flush()]
    }
    for (const { choices } of pieces) said.add(choices)
    this.#collector.collected?.add(pieces)
    if (isFirst && this.#sentBody !== undefined) {
      pieces = [{ type: "delta", choices: [], sentBody: this.#sentBody }, ...pieces]
    }
    if (pieces.length === 0) return Effect.void
    const taken = push(pieces)
    if (Exit.isExit(taken)) return taken
    const since = readMonotonicMillis(clock)
    // A reader that stops must not hold a connection of the provider.
    const waited = withTimer(taken, clock, settings.unreadResponseTimeoutMillis, unreadRules)
    return Step.map(waited, () => {
      this.#backpressureMillis += readMonotonicMillis(clock) - since
    })
  }

  /** False when another attempt answers. */
  #open(): boolean {
    const { commit, onChange } = this.#listeners
    this.#isOpen = commit()
    if (!this.#isOpen) return false
    if (this.#parsed.isEchoed === true && this.#sentBody === undefined)
      onChange(echoField, "answer")
    this.#sink.opened(this.#target.candidate)
    return true
  }

  #getServerCalls(): ServerCalls | undefined {
    return this.#report.serverCalls ?? this.#citedCalls
  }

  /** The last report may be the one at the end. */
  #getTold(usage = this.#reportedUsage): ToldUsage {
    return {
      usage,
      isBehind: this.#isBehind && usage === this.#reportedUsage,
      serverCalls: this.#getServerCalls()
    }
  }

  /** Charges the usage of an answer that broke off. */
  #charge(told: ToldUsage): void {
    const parsed = this.#parsed
    const target = this.#target
    this.#listeners.spent(resolveUsage(parsed, target, this.#sink.said, told), !isCounted(told), {
      hasRead: told.serverCalls !== undefined,
      servedAs: findServedAs(parsed, target, this.#report),
      cost: isCounted(told) ? this.#report.cost : undefined
    })
  }

  #chargeFailure(exit: Exit.Exit<void, UpstreamFailure>): Effect.Effect<void> {
    if (Exit.isSuccess(exit)) return Effect.void
    const { cause } = exit
    const failure = cause.reasons.find(Cause.isFailReason)?.error
    // An error that the provider itself reports is charged only for the usage in the report.
    if (failure?.usage !== undefined) {
      if (this.#isOpen) {
        this.#charge({ usage: failure.usage, serverCalls: this.#getServerCalls() })
      }
      return Effect.void
    }
    // Before the first event only the provider knows what it charges, unless it has reported usage.
    const isCharged = this.#isOpen
      ? failure === undefined || cutOffKinds.has(failure.kind)
      : isAbandoned(cause, failure) &&
        (isValidUsage(this.#reportedUsage) || this.#getServerCalls() !== undefined)
    if (isCharged) this.#charge(this.#getTold())
    return Effect.void
  }

  #toSuccess(): AttemptSuccess<ChatReply> {
    const { said } = this.#sink
    const omitted = this.#sayable?.listOmitted()
    if (omitted !== undefined) this.#listeners.onChange(omitted, "answer")
    return {
      ...toServed(
        this.#parsed,
        this.#target,
        { ...this.#report, choices: said.choices() },
        said,
        this.#getTold(this.#report.usage)
      ),
      ...(this.#backpressureMillis === 0
        ? undefined
        : { backpressureMillis: this.#backpressureMillis })
    }
  }
}

/** A reader that stops must not hold a connection of the provider. */
const unreadRules = { onTimeout: () => unreadResponse }

const echoField: ReadonlyArray<string> = ["debug.echo_upstream_body"]

const errorFinish = Effect.fail(errorFinishFailure)
const emptyAnswer = Effect.fail(emptyAnswerFailure)
const unsayable = Effect.fail(unsayableFailure)

/** The events before the end; all of them, if it is not among them. */
const takeDeltas = (events: ReadonlyArray<ChatEvent>): ReadonlyArray<ChatDeltaEvent> => {
  if (events.every(isDelta)) return events
  return events.slice(0, events.findIndex(isEnd)).filter(isDelta)
}

const isDelta = (event: ChatEvent): event is ChatDeltaEvent => event.type === "delta"

/** Finds the server calls that follow from citations in these pieces. */
const findCalls = (pieces: ReadonlyArray<ChatDeltaEvent>): ServerCalls | undefined => {
  for (const { choices } of pieces) {
    for (const { events } of choices) {
      for (const event of events) {
        if (event.type === "citation") return oneSearch
      }
    }
  }
  return undefined
}

const hasErrorReason = ({ end }: ChatDelta): boolean => isErrorReason(end?.reason)

const isEnd = ({ type }: ChatEvent): boolean => type === "end"

/** The answer was cut off, so the provider charges for what it had generated. */
const cutOffKinds: ReadonlySet<FailureKind> = new Set([
  "unreachable",
  "timeout",
  "invalid_answer",
  "defect"
])
