/** Answers chats, as a whole or streamed. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import type { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { requireModelAccess } from "../../tenants/auth/permissions.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import type {
  RouteObserver,
  PlannedRoute,
  PlanReplay,
  RouteQuery
} from "../../routing/RouteQuery.ts"
import { RouteRecorder, type ActiveRequest } from "../../routing/record/RouteRecorder.ts"
import { Routing, type RoutingError } from "../../routing/Routing.ts"
import type { ModelNotFound, WrongOperation } from "../../routing/RoutingErrors.ts"
import { Experiments } from "../experiments/Experiments.ts"
import type { Participation } from "../experiments/makeParticipations.ts"
import { Settings } from "../../instance/Settings.ts"
import type {
  ChatCapability,
  ChatChoice,
  ChatReply
} from "../../engine/upstreams/ChatCapability.ts"
import * as GenerationId from "../../values/ids/GenerationId.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import {
  CurrentWorkspaceDefaults,
  findTextModel
} from "../../tenants/workspaces/WorkspaceDefaults.ts"
import { WorkspaceStore } from "../../tenants/workspaces/WorkspaceStore.ts"
import { type ChatAnswer, toChatCompletion } from "./ChatAnswer.ts"
import type { ChatCompletion } from "./ChatCompletion.ts"
import { toChatQuery } from "./request/toChatQuery.ts"
import { toAnswerFacts, toIoContent, traceChat } from "./chatRecord.ts"
import { type ChatStream, makeStreamChat } from "./stream/streamChat.ts"
import { haveSameContent } from "./haveSameContent.ts"
import { CompletionWork, extendTimeouts } from "./CompletionWork.ts"
import { findApiName, type ParsedChat } from "./request/parseChatRequest.ts"
import { toChatEnd } from "./toChatUsage.ts"
import * as Step from "../../values/Step.ts"

/** How a chat fails. */
export type ChatError = NotPermitted | InvalidRequest | RoutingError

/** Routes chats. */
export class Chats extends Context.Service<
  Chats,
  {
    /** Begins when it is called; interrupting it interrupts the upstream call. `observer` is called as the chat is routed. */
    readonly complete: (
      caller: Caller,
      parsed: ParsedChat,
      observer?: RouteObserver
    ) => Effect.Effect<ChatCompletion, ChatError>
    /** Like `complete`, before the answer is written in the form of the chat API. */
    readonly answer: (
      caller: Caller,
      parsed: ParsedChat,
      observer?: RouteObserver
    ) => Effect.Effect<ChatAnswer, ChatError>
    /**
     * Succeeds with the first piece of the answer, and fails when no candidate sends one. The call at the provider
     * ends with the scope at the latest; its cost is settled and its outcome recorded then.
     */
    readonly stream: (
      caller: Caller,
      parsed: ParsedChat,
      observer?: RouteObserver
    ) => Effect.Effect<ChatStream, ChatError, Scope.Scope>
    /** Plans without calling a provider. */
    readonly plan: (
      caller: Caller,
      parsed: ParsedChat,
      replay?: PlanReplay
    ) => Effect.Effect<PlannedRoute, InvalidRequest | ModelNotFound | WrongOperation>
  }
>()("@signalbox/core/domains/chat/Chats") {
  static readonly layer = Layer.effect(
    Chats,
    Effect.gen(function* () {
      const { isIoLogEnabled } = yield* Generations
      const settings = yield* Settings
      const completionSettings = extendTimeouts(settings)
      const workspaces = yield* WorkspaceStore
      const defaults = yield* CurrentWorkspaceDefaults
      const experiments = yield* Experiments
      const recorder = yield* RouteRecorder
      const routing = yield* Routing
      const clock = yield* Clock.Clock
      const random = yield* Random.Random
      const streamChat = makeStreamChat({
        clock: yield* Clock.Clock,
        isIoLogEnabled,
        settings,
        recorder,
        afterwards: yield* Effect.scope
      })

      /** With the requested models, else the default of the workspace. */
      const makeQuery = (
        caller: Caller,
        parsed: ParsedChat
      ): Effect.Effect<RouteQuery<ChatCapability>, InvalidRequest> => {
        const { models } = parsed
        if (Arr.isReadonlyArrayNonEmpty(models)) {
          return Effect.succeed(toChatQuery(caller, models, parsed))
        }
        return Step.flatMap(workspaces.findById(caller.account, caller.workspace), (workspace) => {
          const model = findTextModel(workspace, defaults)
          return model === undefined
            ? Effect.fail(missingModel)
            : Effect.succeed(toChatQuery(caller, [model], parsed))
        })
      }

      const beginChat = (caller: Caller, parsed: ParsedChat, listener: RouteObserver | undefined) =>
        Step.flatMap(requireModelAccess(caller), () =>
          Step.map(makeQuery(caller, parsed), (query) => {
            const id = GenerationId.drawChatId(clock, random)
            const participation = experiments.enter(query, parsed.request, id)
            const underway = {
              id,
              startedAt: clock.currentTimeMillisUnsafe(),
              labels: parsed.request,
              requestedModel: query.models[0],
              experiment: participation?.label,
              api: findApiName(parsed),
              attempts: [],
              listener,
              toAnswerFacts
            } satisfies Partial<ActiveRequest<ChatReply>>
            return { query: participation?.query ?? query, underway, participation }
          })
        )

      /** `choices` are what the caller received; undefined when the answer is not complete. */
      const countInExperiment = (
        { count, isShadowed, sendCopy }: Participation<ChatCapability>,
        parsed: ParsedChat,
        { attempts, startedAt }: Pick<ActiveRequest<ChatReply>, "attempts" | "startedAt">,
        choices: ReadonlyArray<ChatChoice> | undefined
      ): void => {
        count(attempts, startedAt)
        if (!isShadowed || choices === undefined) return
        sendCopy(
          new CompletionWork(parsed, completionSettings),
          (copy) => haveSameContent(choices, copy.choices),
          settings.chatTimeoutMillis
        )
      }

      const answer = (
        caller: Caller,
        parsed: ParsedChat,
        listener: RouteObserver | undefined
      ): Effect.Effect<ChatAnswer, ChatError> =>
        Step.flatMap(beginChat(caller, parsed, listener), ({ participation, query, underway }) =>
          Step.map(
            traceChat(parsed, listener, () =>
              recorder.route(
                { ...query, timeoutMillis: settings.chatTimeoutMillis },
                new CompletionWork(parsed, completionSettings),
                {
                  ...underway,
                  isStreamed: false,
                  toContent: (exit) =>
                    toIoContent(parsed, Exit.isSuccess(exit) ? exit.value.value.choices : []),
                  onEnd:
                    participation &&
                    ((exit) =>
                      countInExperiment(
                        participation,
                        parsed,
                        underway,
                        Exit.isSuccess(exit) ? exit.value.value.choices : undefined
                      ))
                }
              )
            ),
            ({ candidate, value }) => ({
              id: underway.id,
              startedAt: underway.startedAt,
              model: candidate.endpoint.model,
              provider: candidate.providerName,
              reply: value,
              ...toChatEnd(underway.attempts, value.usageDetails)
            })
          )
        )

      return {
        complete: (caller, parsed, listener) =>
          Step.map(answer(caller, parsed, listener), toChatCompletion),
        answer,
        stream: Effect.fnUntraced(function* (caller, parsed, listener) {
          const { participation, query, underway } = yield* beginChat(caller, parsed, listener)
          return yield* streamChat(parsed, query, {
            ...underway,
            isAnswerKept: participation?.isShadowed === true,
            onAnswer:
              participation &&
              ((choices) => countInExperiment(participation, parsed, underway, choices))
          })
        }),
        plan: (caller, parsed, replay) =>
          Step.flatMap(makeQuery(caller, parsed), (query) => routing.plan(query, replay))
      }
    })
  ).pipe(Layer.provide(RouteRecorder.layer))
}

const missingModel = new InvalidRequest({
  path: ["model"],
  problem: "names no model, and the workspace has no default_text_model"
})
