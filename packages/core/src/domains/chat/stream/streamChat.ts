/** Routes a chat whose answer is streamed. */
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Candidate } from "../../../routing/Candidate.ts"
import type { RouteQuery, RouteResult } from "../../../routing/RouteQuery.ts"
import type { RouteRecorder } from "../../../routing/record/RouteRecorder.ts"
import type { ActiveRequest } from "../../../routing/record/RecordedRoute.ts"
import type { RoutingError } from "../../../routing/Routing.ts"
import type { StreamFilter } from "../../../routing/filters/FilterReport.ts"
import type { SettingsShape } from "../../../instance/Settings.ts"
import type {
  ChatCapability,
  ChatChoice,
  ChatDeltaEvent,
  ChatMetadata,
  ChatReply,
  ChatServingInfo
} from "../../../engine/upstreams/ChatCapability.ts"
import { evaluate } from "../../../values/eager.ts"
import { fromCallback, Pending, PendingRun } from "../../../values/Pending.ts"
import type { PendingRuns } from "../../../values/PendingRuns.ts"
import type { PushStream } from "../../../values/push/PushStream.ts"
import { ReadAheadBuffer } from "../../../values/push/ReadAheadBuffer.ts"
import * as Step from "../../../values/Step.ts"
import type { ChatEnd } from "../ChatAnswer.ts"
import { toIoContent, traceChat } from "../chatRecord.ts"
import type { ParsedChat } from "../request/parseChatRequest.ts"
import { toChatEnd } from "../toChatUsage.ts"
import { ChatAccumulator } from "./ChatAccumulator.ts"
import type { ChatChunk } from "./ChatChunk.ts"
import { type ChunkHead, makeChunkEncoder, makeLastChunk, toChunkHead } from "./ChunkEncoder.ts"
import { StreamWork } from "./StreamWork.ts"

/** An answer that has started. */
export interface ChatStream extends ChunkHead {
  /** A stored answer is replayed; absent: a provider makes it. */
  readonly isCached?: true
  /**
   * The chunks of the answer; the last one has the usage. Fails when the answer breaks off, because no fallback is
   * possible then. Can be read once; a reader that stops ends the call at the provider.
   */
  readonly chunks: Stream.Stream<ChatChunk, RoutingError>
  /** The fields that are the same in every chunk. */
  readonly head: ChunkHead
  /** The same answer in no API's words, without its last chunk. Read one of them. */
  readonly events: Stream.Stream<ChatDeltaEvent, RoutingError>
  /** The same, pushed. */
  readonly pieces: PushStream<ChatDeltaEvent, RoutingError>
  /** The end after the last piece, in the chat API and for others. */
  readonly toLastChunk: () => ChatChunk
  readonly toEnd: () => ChatEnd & { readonly marks: ChatServingInfo }
}

interface StreamChatOptions {
  readonly clock: Clock.Clock
  readonly settings: SettingsShape
  readonly recorder: RouteRecorder["Service"]
  /** Outlive the request: the call of a complete answer is closed there. */
  readonly afterwards: PendingRuns
}

interface StreamedRequest extends Omit<
  ActiveRequest<ChatReply>,
  "isStreamed" | "onEnd" | "toContent"
> {
  /** Whether the content may be read once the stream has ended. */
  readonly isContentRead: boolean
  /** Whether `onAnswer` gets the choices. */
  readonly isAnswerKept: boolean
  /**
   * Called once at the end; without choices when the answer is incomplete or too long to keep. Absent: the choices are
   * not collected.
   */
  readonly onAnswer?: ((choices: ReadonlyArray<ChatChoice> | undefined) => void) | undefined
}

/** Made once; the function that it returns opens one stream, which ends with its scope at the latest. */
export const makeStreamChat =
  (options: StreamChatOptions) =>
  (
    parsed: ParsedChat,
    query: RouteQuery<ChatCapability>,
    underway: StreamedRequest
  ): Effect.Effect<ChatStream, RoutingError, Scope.Scope> =>
    new OpeningStream(options, parsed, query, underway)

/** Waits for the first piece. */
class OpeningStream extends Pending<ChatStream, RoutingError, Scope.Scope> {
  readonly #options: StreamChatOptions
  readonly #parsed: ParsedChat
  readonly #query: RouteQuery<ChatCapability>
  readonly #underway: StreamedRequest

  constructor(
    options: StreamChatOptions,
    parsed: ParsedChat,
    query: RouteQuery<ChatCapability>,
    underway: StreamedRequest
  ) {
    super()
    this.#options = options
    this.#parsed = parsed
    this.#query = query
    this.#underway = underway
  }

  begin(run: PendingRun): Exit.Exit<ChatStream, RoutingError> | undefined {
    let isBeginning = true
    let isInterrupted = false
    let early: Exit.Exit<ChatStream, RoutingError> | undefined
    let isOpened = false
    const stream = new StreamedChat(
      run,
      this.#options,
      this.#parsed,
      this.#underway,
      (opened) => {
        if (isOpened) return
        isOpened = true
        if (isBeginning) early = opened
        else if (!isInterrupted) run.resume(opened)
      },
      () => {
        if (isInterrupted && !isBeginning) run.resume(run.interruption ?? Exit.void)
      }
    )
    run.onInterrupt({
      interrupt: (annotations) => {
        if (isOpened) return
        isInterrupted = true
        stream.interrupt(annotations)
      }
    })
    stream.start(this.#query)
    isBeginning = false
    return early
  }
}

/** A stream while it lasts. */
class StreamedChat {
  readonly #options: StreamChatOptions
  readonly #parsed: ParsedChat
  readonly #underway: StreamedRequest
  /** Routes the chat. */
  readonly #driver: PendingRun
  readonly #scope: Scope.Closeable
  readonly #said: ChatAccumulator
  readonly #buffer = new ReadAheadBuffer<ChatDeltaEvent, RoutingError>()
  readonly #onOpened: (opened: Exit.Exit<ChatStream, RoutingError>) => void
  readonly #onEnd: Array<() => void>
  #report: ChatMetadata = {}
  /** Declared without a field, because few requests have something to put back. */
  declare restore?: StreamFilter
  #isOver = false

  /** `onOpened` is called at least once, and `onEnd` once, after the end. */
  constructor(
    run: PendingRun,
    options: StreamChatOptions,
    parsed: ParsedChat,
    underway: StreamedRequest,
    onOpened: (opened: Exit.Exit<ChatStream, RoutingError>) => void,
    onEnd: () => void
  ) {
    const { settings } = options
    this.#options = options
    this.#parsed = parsed
    this.#underway = underway
    this.#onOpened = onOpened
    this.#onEnd = [onEnd]
    this.#said = new ChatAccumulator(
      underway.isContentRead || underway.isAnswerKept ? settings.maxIoLogStreamCharacters : 0
    )
    this.#driver = new PendingRun(run.context, (exit) => this.#end(exit), run)
    this.#scope = Scope.forkUnsafe(Context.getUnsafe(run.context, Scope.Scope))
  }

  start(query: RouteQuery<ChatCapability>): void {
    const { clock, recorder, settings, afterwards } = this.#options
    const parsed = this.#parsed
    const said = this.#said
    const { isAnswerKept, isContentRead: _, onAnswer, ...underway } = this.#underway
    const restore = parsed.filtered?.answers?.makeStreamRestore()
    if (restore !== undefined) this.restore = restore
    const sink = {
      push:
        restore === undefined
          ? (pieces: ReadonlyArray<ChatDeltaEvent>) => this.#buffer.push(pieces)
          : (pieces: ReadonlyArray<ChatDeltaEvent>) => this.#buffer.push(restore.push(pieces)),
      opened: (candidate: Candidate, isCached = false) =>
        this.#onOpened(
          Exit.succeed(isCached ? { ...this.#open(candidate), isCached } : this.#open(candidate))
        ),
      said,
      afterwards
    }
    // The scope is new, so nothing is waited for.
    Effect.runSync(Scope.addFinalizer(this.#scope, this.#abort))
    this.#driver.go(
      evaluate(() =>
        traceChat(parsed, underway.listener, () =>
          recorder.route(query, new StreamWork(parsed, sink, { clock, settings }), {
            ...underway,
            isStreamed: true,
            toContent: () => toIoContent(parsed, said.choices(), said.isTruncated()),
            onEnd:
              onAnswer &&
              ((exit) => {
                const isKept = isAnswerKept && Exit.isSuccess(exit) && !said.isTruncated()
                onAnswer(isKept ? said.choices() : undefined)
              })
          })
        )
      )
    )
  }

  interrupt(annotations: Context.Context<never> | undefined): void {
    if (!this.#isOver) this.#driver.interrupt(annotations)
  }

  /** Interrupts it, and waits for its end. */
  readonly #abort: Effect.Effect<void> = fromCallback((resume) => {
    if (this.#isOver) resume(Effect.void)
    else {
      this.#onEnd.push(() => resume(Effect.void))
      this.#driver.interrupt()
    }
    return constVoid
  })

  #end(ended: Exit.Exit<unknown, unknown>): void {
    // The result of the route.
    const exit = ended as Exit.Exit<RouteResult<ChatReply>, RoutingError>
    this.#isOver = true
    if (Exit.isSuccess(exit)) this.#report = exit.value.value
    else this.#onOpened(Exit.failCause(exit.cause))
    // Nothing is waited for, because the end follows.
    const rest = this.restore?.flush()
    if (rest !== undefined && rest.length > 0) void this.#buffer.push(rest)
    this.#buffer.end(Exit.asVoid(exit))
    // Nothing is left for it to end.
    void Scope.closeUnsafe(this.#scope, Exit.void)
    for (const each of this.#onEnd) each()
  }

  #open({ endpoint, providerName }: Candidate): ChatStream {
    const { attempts, id, startedAt } = this.#underway
    const head = toChunkHead({ id, startedAt, model: endpoint.model, provider: providerName })
    const toEnd = () => ({
      marks: this.#report,
      ...toChatEnd(attempts, this.#report.usageDetails)
    })
    const toLastChunk = () => makeLastChunk(head, toEnd())
    const { pushed, values } = this.#buffer
    const events = Stream.ensuring(values, this.#abort)
    return {
      ...head,
      head,
      // Made when it is read, because most readers want the pieces.
      chunks: Stream.suspend(() =>
        events.pipe(
          Stream.map(makeChunkEncoder(head)),
          Stream.concat(Stream.suspend(() => Stream.succeed(toLastChunk())))
        )
      ),
      events,
      pieces: {
        run: (push) =>
          Step.onExit(pushed.run(push), () => (this.#isOver ? Effect.void : this.#abort))
      },
      toLastChunk,
      toEnd
    }
  }
}
