/** Runs a chat whose answer is streamed. */
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
  HedgingTraits,
  RouteTarget,
  RouteWork,
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
import { readMonotonicMillis } from "../../../values/readMonotonicMillis.ts"
import * as Step from "../../../values/Step.ts"
import { withTimer } from "../../../values/withTimer.ts"
import { type TokenUsage, isValidUsage } from "../../../values/usage/TokenUsage.ts"
import type { ServerCalls } from "../../../values/usage/ModelUsage.ts"
import { oneSearch } from "../../../conversation/serverTools/readsByItself.ts"
import { isCounted, resolveUsage, type ToldUsage } from "../estimateUsage.ts"
import { makeSayableReader, unsayableFailure } from "../findUnsayable.ts"
import { ChatWork, isRepeatable } from "../ChatWork.ts"
import type { AnswerCaching } from "../../../routing/cache/AnswerCaching.ts"
import type { CollectedPieces } from "../chatCaching.ts"
import { loadChatCaching } from "../CompletionWork.ts"
import { emptyAnswerFailure, errorFinishFailure, isErrorReason } from "../checkChatReply.ts"
import type { ParsedChat } from "../request/parseChatRequest.ts"
import { toChatCall } from "../toChatCall.ts"
import { findServedAs, toServed } from "../toServed.ts"
import type { ChatAccumulator } from "./ChatAccumulator.ts"

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

interface StreamWorkOptions {
  readonly clock: Clock.Clock
  readonly settings: SettingsShape
}

interface StreamListeners {
  readonly spent: UsageReporter
  readonly commit: () => boolean
  readonly onChange: ChangeReporter
}

export class StreamWork
  extends ChatWork
  implements RouteWork<ChatCapability, ChatReply, HttpClient.HttpClient>
{
  readonly #sink: ChatSink
  readonly #options: StreamWorkOptions
  /** Declared without a field, because few streams are stored. */
  declare collected?: CollectedPieces

  constructor(parsed: ParsedChat, sink: ChatSink, options: StreamWorkOptions) {
    super(parsed)
    this.#sink = sink
    this.#options = options
  }

  get hedging(): HedgingTraits | undefined {
    return isRepeatable(this.parsed) ? streamHedging : undefined
  }

  get caching(): Effect.Effect<AnswerCaching<ChatReply>> {
    return Effect.map(loadChatCaching(), ({ makeStreamCaching }) =>
      makeStreamCaching(
        this.parsed,
        this.#sink,
        this.#options.settings.maxCachedAnswerBytes,
        (collected) => {
          this.collected = collected
        }
      )
    )
  }

  /** The reservation outlives the stream. */
  get leaseMillis(): number {
    const { settings } = this.#options
    return settings.streamTimeoutMillis + settings.reservationLeaseMillis
  }

  run(
    target: RouteTarget<ChatCapability>,
    spent: UsageReporter,
    commit: () => boolean,
    onChange: ChangeReporter
  ): Effect.Effect<AttemptSuccess<ChatReply>, UpstreamFailure, HttpClient.HttpClient> {
    return this.withRoom(target, onChange, (parsed) =>
      this.#stream(parsed, target, { spent, commit, onChange })
    )
  }

  #stream(
    parsed: ParsedChat,
    target: RouteTarget<ChatCapability>,
    { commit, onChange, spent }: StreamListeners
  ): Effect.Effect<AttemptSuccess<ChatReply>, UpstreamFailure, HttpClient.HttpClient> {
    const sink = this.#sink
    const { clock, settings } = this.#options
    const { afterwards, said } = sink
    let reportedUsage: TokenUsage | undefined
    /** Content followed the reported usage. */
    let isBehind = false
    let report: ChatMetadata = {}
    let citedCalls: ServerCalls | undefined
    let isOpen = false
    let isSilent = true
    const sayable = makeSayableReader(parsed.native.dialect)
    const screen = parsed.filtered?.answers?.makeStreamScreen()
    /** What the caller is to be told of when the answer begins for it. */
    let held: ReadonlyArray<ChatDeltaEvent> | undefined
    let backpressureMillis = 0

    /** The request that the provider got; undefined: the upstream did not say. */
    let sentBody: unknown
    /** False when another attempt answers. */
    const open = (): boolean => {
      isOpen = commit()
      if (!isOpen) return false
      if (parsed.isEchoed === true && sentBody === undefined) onChange(echoField, "answer")
      sink.opened(target.candidate)
      return true
    }
    /** Fails when the provider reports an error, or the answer is empty. Ignores everything after `end`. */
    const receive = (events: ReadonlyArray<ChatEvent>): Effect.Effect<void, UpstreamFailure> => {
      let pieces = takeDeltas(events)
      for (const { choices } of pieces) if (choices.some(hasErrorReason)) return errorFinish
      const end = events[pieces.length]
      sayable?.addPieces(pieces)
      if (held !== undefined) pieces = [...held, ...pieces]
      held = sayable?.hasOnlyOmitted() === true ? pieces : undefined
      if (held !== undefined) return end === undefined ? Effect.void : unsayable
      if (pieces.length > 0) isSilent = false
      if (end?.type === "end") {
        if (isSilent && (end.usage?.outputTokens ?? 0) === 0) return emptyAnswer
        const { type: _, ...reported } = end
        report = reported
      }
      const isFirst = !isOpen
      if (isFirst && !open()) return Effect.never
      citedCalls ??= findCalls(pieces)
      if (screen !== undefined) {
        pieces = screen.push(pieces)
        if (end !== undefined) pieces = [...pieces, ...screen.flush()]
      }
      for (const { choices } of pieces) said.add(choices)
      this.collected?.add(pieces)
      if (isFirst && sentBody !== undefined) {
        pieces = [{ type: "delta", choices: [], sentBody }, ...pieces]
      }
      if (pieces.length === 0) return Effect.void
      const taken = sink.push(pieces)
      if (Exit.isExit(taken)) return taken
      const since = readMonotonicMillis(clock)
      // A reader that stops must not hold a connection of the provider.
      const waited = withTimer(taken, clock, settings.unreadResponseTimeoutMillis, unreadRules)
      return Step.map(waited, () => {
        backpressureMillis += readMonotonicMillis(clock) - since
      })
    }
    const call = toChatCall(parsed, target, {
      onChange,
      onReport: (told) => {
        report = told
      },
      onBody:
        parsed.isEchoed === true
          ? (body) => {
              sentBody = body
            }
          : undefined,
      onUsage: (usage) => {
        isBehind = usage === undefined
        reportedUsage = usage ?? reportedUsage
      }
    })
    const getServerCalls = (): ServerCalls | undefined => report.serverCalls ?? citedCalls
    /** The last report may be the one at the end. */
    const getTold = (usage = reportedUsage): ToldUsage => ({
      usage,
      isBehind: isBehind && usage === reportedUsage,
      serverCalls: getServerCalls()
    })
    /** Charges the usage of an answer that broke off. */
    const charge = (told: ToldUsage): void =>
      spent(resolveUsage(parsed, target, said, told), !isCounted(told), {
        hasRead: told.serverCalls !== undefined,
        servedAs: findServedAs(parsed, target, report),
        cost: isCounted(told) ? report.cost : undefined
      })
    const events = fromStream(target.capability.stream(call))
    const chargeFailure = (exit: Exit.Exit<void, UpstreamFailure>): Effect.Effect<void> => {
      if (Exit.isSuccess(exit)) return Effect.void
      const { cause } = exit
      const failure = cause.reasons.find(Cause.isFailReason)?.error
      // An error that the provider itself reports is charged only for the usage in the report.
      if (failure?.usage !== undefined) {
        if (isOpen) charge({ usage: failure.usage, serverCalls: getServerCalls() })
        return Effect.void
      }
      // Before the first event only the provider knows what it charges, unless it has reported usage.
      const isCharged = isOpen
        ? failure === undefined || cutOffKinds.has(failure.kind)
        : isAbandoned(cause, failure) &&
          (isValidUsage(reportedUsage) || getServerCalls() !== undefined)
      if (isCharged) charge(getTold())
      return Effect.void
    }
    const ran = runStream(events, receive, { afterwards, clock, isTerminal: isEnd, settings })
    return Step.map(Step.onExit(ran, chargeFailure), () => {
      const omitted = sayable?.listOmitted()
      if (omitted !== undefined) onChange(omitted, "answer")
      return {
        ...toServed(
          parsed,
          target,
          { ...report, choices: said.choices() },
          said,
          getTold(report.usage)
        ),
        ...(backpressureMillis === 0 ? undefined : { backpressureMillis })
      }
    })
  }
}

/** It ends with its first event, so little is generated twice. */
const streamHedging: HedgingTraits = { kind: "chat stream", isDefault: true }

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
