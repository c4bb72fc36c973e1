/** Answers chats, whole or piece by piece. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { NotPermitted } from "../auth/AuthErrors.ts"
import type { Caller } from "../auth/Caller.ts"
import { mayRunModels } from "../auth/mayRunModels.ts"
import type { Catalog } from "../catalog/Catalog.ts"
import type { SpendCounters } from "../ledger/SpendCounters.ts"
import { Generations } from "../observability/Generations.ts"
import { withTrace } from "../observability/withTrace.ts"
import type { Candidate } from "../routing/Candidate.ts"
import type { Observer, Planned, Replay } from "../routing/Query.ts"
import { recording, type Underway } from "../routing/recording.ts"
import { Routing, type RoutingError } from "../routing/Routing.ts"
import type { ModelNotFound, WrongOperation } from "../routing/RoutingErrors.ts"
import { Settings } from "../Settings.ts"
import type { ChatPiece, ChatReply, ChatReport } from "../upstreams/ChatCapability.ts"
import * as GenerationId from "../values/GenerationId.ts"
import { InvalidRequest } from "../values/RequestErrors.ts"
import { DefaultsOfWorkspaces, textModelOf } from "../workspaces/WorkspaceDefaults.ts"
import { WorkspaceStore } from "../workspaces/WorkspaceStore.ts"
import { assembling } from "./Assembling.ts"
import type { ChatChunk } from "./ChatChunk.ts"
import type { ChatCompletion } from "./ChatCompletion.ts"
import type { AssistantMessage } from "./ChatRequestMessage.ts"
import { queryOf } from "./chatQuery.ts"
import { contentOf, factsOf } from "./chatRecord.ts"
import { chunking, type ChunkHead, lastChunk, toldMarks } from "./chunking.ts"
import { completing } from "./completing.ts"
import type { ParsedChat } from "./parseChatRequest.ts"
import { readAhead } from "./readAhead.ts"
import { streaming } from "./streaming.ts"
import { toldUsage } from "./toldUsage.ts"

/** How a chat fails. */
export type ChatError = NotPermitted | InvalidRequest | RoutingError

/** An answer that has begun. */
export interface ChatStream extends ChunkHead {
  /**
   * Each piece as it comes, and at last one with the usage. Fails when the answer breaks off: nobody else is
   * asked then. To be read once; whoever stops reading ends the call at the provider.
   */
  readonly chunks: Stream.Stream<ChatChunk, RoutingError>
}

/** Routes chats, whole and piece by piece. */
export class Chats extends Context.Service<
  Chats,
  {
    /** Whether the caller may ask at all. */
    readonly permit: (caller: Caller) => Effect.Effect<void, NotPermitted>
    /** Interrupting it interrupts the upstream call. `observer` hears how it is routed. */
    readonly complete: (
      caller: Caller,
      parsed: ParsedChat,
      observer?: Observer
    ) => Effect.Effect<ChatCompletion, ChatError>
    /**
     * Succeeds when the first piece is there, and fails when none is to be had. The call at the provider ends
     * with the scope at the latest; what it cost and what became of it is settled and recorded then.
     */
    readonly stream: (
      caller: Caller,
      parsed: ParsedChat,
      observer?: Observer
    ) => Effect.Effect<ChatStream, ChatError, Scope.Scope>
    /** The plan it would get, whole or piece by piece, without asking anybody. */
    readonly plan: (
      caller: Caller,
      parsed: ParsedChat,
      replay?: Replay
    ) => Effect.Effect<Planned, InvalidRequest | ModelNotFound | WrongOperation>
  }
>()("@signalbox/core/chat/Chats") {
  static readonly layer: Layer.Layer<
    Chats,
    never,
    Catalog | Generations | HttpClient.HttpClient | Routing | SpendCounters | WorkspaceStore
  > = Layer.effect(
    Chats,
    Effect.gen(function* () {
      const { isContentHeard } = yield* Generations
      const settings = yield* Settings
      const workspaces = yield* WorkspaceStore
      const defaults = yield* DefaultsOfWorkspaces
      const record = yield* recording
      const routing = yield* Routing
      const afterwards = yield* Effect.scope

      /** Those asked for, else what the workspace says. */
      const modelsOf = Effect.fnUntraced(function* (
        { account, workspace }: Caller,
        { models }: ParsedChat
      ) {
        if (Arr.isReadonlyArrayNonEmpty(models)) return models
        const model = textModelOf(yield* workspaces.findById(account, workspace), defaults)
        return model === undefined ? yield* unnamed : Arr.of(model)
      })

      const asking = (caller: Caller, parsed: ParsedChat) =>
        Effect.map(modelsOf(caller, parsed), (models) => queryOf(caller, models, parsed))

      const beginning = Effect.fnUntraced(function* (
        caller: Caller,
        parsed: ParsedChat,
        listener: Observer | undefined
      ) {
        yield* mayRunModels(caller)
        const query = yield* asking(caller, parsed)
        const underway = {
          id: yield* GenerationId.nextChat,
          startedAt: yield* Clock.currentTimeMillis,
          labels: parsed.request,
          attempts: [],
          listener,
          factsOf
        } satisfies Partial<Underway<ChatReply>>
        return { query, underway }
      })

      return {
        permit: mayRunModels,
        complete: Effect.fnUntraced(function* (caller, parsed, listener) {
          const { query, underway } = yield* beginning(caller, parsed, listener)
          const { candidate, value } = yield* traced(
            parsed,
            record(
              { ...query, deadlineMillis: settings.chatDeadlineMillis },
              completing(parsed, settings),
              {
                ...underway,
                isStreamed: false,
                contentOf: (exit) =>
                  contentOf(parsed, Exit.isSuccess(exit) ? exit.value.value.choices : [])
              }
            )
          )
          return {
            id: underway.id,
            object: "chat.completion",
            created: secondsOf(underway),
            model: candidate.endpoint.model,
            provider: candidate.providerName,
            choices: choicesOf(value),
            system_fingerprint: null,
            ...toldMarks(value),
            usage: toldUsage(underway.attempts, value.usageDetails)
          }
        }),
        stream: Effect.fnUntraced(function* (caller, parsed, listener) {
          const { query, underway } = yield* beginning(caller, parsed, listener)
          const said = assembling(isContentHeard ? settings.ioLogStreamCharacters : 0)
          const opened = yield* Deferred.make<Candidate, RoutingError>()
          const ahead = yield* readAhead<ChatPiece, RoutingError>()
          const sink = {
            ...ahead,
            opened: (candidate: Candidate) => Deferred.succeed(opened, candidate),
            said,
            afterwards
          }
          let report: ChatReport = {}
          const driving = Effect.onExit(
            traced(
              parsed,
              record(query, streaming(parsed, sink, settings), {
                ...underway,
                isStreamed: true,
                contentOf: () => contentOf(parsed, said.choices(), said.isTruncated())
              })
            ),
            (exit) =>
              Effect.sync(() => {
                if (Exit.isSuccess(exit)) {
                  report = exit.value.value
                  ahead.end()
                } else {
                  Deferred.doneUnsafe(opened, Exit.failCause(exit.cause))
                  ahead.failCause(exit.cause)
                }
              })
          )
          const driver = yield* Effect.forkIn(driving, yield* Effect.scope)
          const hangUp = Fiber.interrupt(driver)
          const { endpoint, providerName } = yield* Effect.onInterrupt(
            Deferred.await(opened),
            () => hangUp
          )
          const head: ChunkHead = {
            id: underway.id,
            object: "chat.completion.chunk",
            created: secondsOf(underway),
            model: endpoint.model,
            provider: providerName
          }
          const chunkOf = chunking(head)
          return {
            ...head,
            chunks: ahead.pieces.pipe(
              Stream.map(chunkOf),
              Stream.concat(
                Stream.suspend(() => {
                  const usage = toldUsage(underway.attempts, report.usageDetails)
                  return Stream.succeed(lastChunk(head, { marks: report, usage }))
                })
              ),
              Stream.ensuring(hangUp)
            )
          }
        }),
        plan: (caller, parsed, replay) =>
          Effect.flatMap(asking(caller, parsed), (query) => routing.plan(query, replay))
      }
    })
  )
}

const unnamed = new InvalidRequest({
  path: ["model"],
  problem: "names no model, and the workspace has no default_text_model"
})

const traced = <A, E>({ request }: ParsedChat, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  withTrace(effect, request.trace, "chat")

const secondsOf = ({ startedAt }: { readonly startedAt: number }): number =>
  Math.floor(startedAt / 1_000)

const choicesOf = ({ choices }: ChatReply): ChatCompletion["choices"] =>
  choices.map(({ finishReason, index, logprobs = null, message, nativeFinishReason }) => ({
    index,
    // Whatever a provider answers is passed on; the type says what the dialect promises.
    message: message as unknown as AssistantMessage,
    finish_reason: finishReason,
    native_finish_reason: nativeFinishReason ?? finishReason,
    logprobs
  }))
