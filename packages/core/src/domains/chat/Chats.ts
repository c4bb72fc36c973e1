/** Answers chats, as a whole or streamed. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import type { ChatCapability, ChatChoice } from "../../engine/upstreams/ChatCapability.ts"
import { Settings } from "../../instance/Settings.ts"
import type {
  PlannedRoute,
  PlanReplay,
  RouteObserver,
  RouteQuery
} from "../../routing/RouteQuery.ts"
import { Routing, type RoutingError } from "../../routing/Routing.ts"
import type { ModelNotFound, WrongOperation } from "../../routing/RoutingErrors.ts"
import { RouteRecorder } from "../../routing/record/RouteRecorder.ts"
import { makeContentPredicate } from "../../routing/restrictions/findContentPolicy.ts"
import type { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { makeTraceTagger } from "../../tenants/auth/makeTraceTagger.ts"
import { ContentFilters, screenBefore } from "../../routing/filters/ContentFilters.ts"
import {
  CurrentWorkspaceDefaults,
  findTextModel
} from "../../tenants/workspaces/WorkspaceDefaults.ts"
import { WorkspaceStore } from "../../tenants/workspaces/WorkspaceStore.ts"
import { withContext } from "../../values/Pending.ts"
import { makePendingRuns } from "../../values/PendingRuns.ts"
import * as Step from "../../values/Step.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import * as GenerationId from "../../values/ids/GenerationId.ts"
import { Experiments } from "../experiments/Experiments.ts"
import type { Participation } from "../experiments/makeParticipations.ts"
import { ActiveChat } from "./ActiveChat.ts"
import { type ChatAnswer, toChatCompletion } from "./ChatAnswer.ts"
import type { ChatCompletion } from "./ChatCompletion.ts"
import { CompletionWork, extendTimeouts } from "./CompletionWork.ts"
import { traceChat } from "./chatRecord.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"
import { toChatQuery } from "./request/toChatQuery.ts"
import { type ChatStream, makeStreamChat } from "./stream/streamChat.ts"
import { toChatEnd } from "./toChatUsage.ts"

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
      const isContentRead = yield* makeContentPredicate
      const settings = yield* Settings
      const completionSettings = extendTimeouts(settings)
      const workspaces = yield* WorkspaceStore
      const defaults = yield* CurrentWorkspaceDefaults
      const experiments = yield* Experiments
      const filters = yield* ContentFilters
      const loadTexts = loadOnce(async () => (await import("./request/chatTexts.ts")).chatTexts)
      const recorder = yield* RouteRecorder
      const routing = yield* Routing
      const clock = yield* Clock.Clock
      const random = yield* Random.Random
      const addTraceTags = makeTraceTagger(settings.traceTags)
      const streamChat = makeStreamChat({
        clock: yield* Clock.Clock,
        settings,
        recorder,
        afterwards: yield* makePendingRuns(yield* Effect.scope)
      })

      /** With the requested models, else the default of the workspace. `timeoutMillis`: of `RouteQuery`. */
      const makeQuery = (
        untagged: Caller,
        parsed: ParsedChat,
        timeoutMillis?: number
      ): Effect.Effect<RouteQuery<ChatCapability>, InvalidRequest> => {
        const { models } = parsed
        const caller = addTraceTags(untagged, parsed.request.trace)
        if (Arr.isReadonlyArrayNonEmpty(models)) {
          return Effect.succeed(toChatQuery(caller, models, parsed, timeoutMillis))
        }
        return Step.flatMap(workspaces.findById(caller.account, caller.workspace), (workspace) => {
          const model = findTextModel(workspace, defaults)
          return model === undefined
            ? Effect.fail(missingModel)
            : Effect.succeed(toChatQuery(caller, [model], parsed, timeoutMillis))
        })
      }

      const begin = (
        parsed: ParsedChat,
        requested: RouteQuery<ChatCapability>,
        listener: RouteObserver | undefined
      ): BegunChat => {
        const id = GenerationId.drawChatId(clock, random)
        const participation = experiments.enter(requested, parsed.request, id)
        const active = new ActiveChat(
          parsed,
          requested.models[0],
          id,
          clock.currentTimeMillisUnsafe(),
          listener,
          participation?.label,
          participation && makeCounter(participation, parsed)
        )
        return {
          active,
          query: participation?.query ?? requested,
          isShadowed: participation?.isShadowed
        }
      }

      const makeCounter =
        ({ count, isShadowed, sendCopy }: Participation<ChatCapability>, parsed: ParsedChat) =>
        (
          { attempts, startedAt }: ActiveChat,
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

      const route = (
        parsed: ParsedChat,
        requested: RouteQuery<ChatCapability>,
        listener: RouteObserver | undefined
      ): Effect.Effect<ChatAnswer, ChatError> => {
        const { active, query } = begin(parsed, requested, listener)
        const answers = parsed.filtered?.answers
        const answered = Step.flatMap(
          traceChat(parsed, listener, () =>
            recorder.route(query, new CompletionWork(parsed, completionSettings), active)
          ),
          ({ candidate, value }): Effect.Effect<ChatAnswer, ChatError> => {
            const blocked = answers?.findBlock()
            if (blocked !== undefined) return Effect.fail(blocked)
            return Effect.succeed({
              id: active.id,
              startedAt: active.startedAt,
              model: candidate.endpoint.model,
              provider: candidate.providerName,
              reply: answers?.restore(value) ?? value,
              ...toChatEnd(active.attempts, value.usageDetails)
            })
          }
        )
        return parsed.isHealed === true
          ? Step.flatMap(answered, (answer) => heal(answer, listener))
          : answered
      }

      const open = (
        parsed: ParsedChat,
        requested: RouteQuery<ChatCapability>,
        listener: RouteObserver | undefined
      ): Effect.Effect<ChatStream, RoutingError, Scope.Scope> => {
        const { active, isShadowed, query } = begin(parsed, requested, listener)
        const { api, attempts, experiment, id, labels, requestedModel, startedAt } = active
        return streamChat(parsed, query, {
          id,
          startedAt,
          labels,
          requestedModel,
          experiment,
          api,
          attempts,
          listener,
          toAnswerFacts: active.toAnswerFacts,
          isContentRead: isContentRead(query),
          isAnswerKept: isShadowed === true,
          preset: parsed.preset?.id,
          onAnswer: isShadowed === undefined ? undefined : (choices) => active.count(choices)
        })
      }

      const answerScreened = (
        caller: Caller,
        parsed: ParsedChat,
        listener: RouteObserver | undefined
      ): Effect.Effect<ChatAnswer, ChatError> =>
        Step.flatMap(makeQuery(caller, parsed, settings.chatTimeoutMillis), (query) =>
          route(parsed, query, listener)
        )

      const streamScreened = (
        caller: Caller,
        parsed: ParsedChat,
        listener: RouteObserver | undefined
      ): Effect.Effect<ChatStream, ChatError, Scope.Scope> =>
        Step.flatMap(makeQuery(caller, parsed), (query) => open(parsed, query, listener))
      const answer = screenBefore(filters, loadTexts, answerScreened)
      const stream = screenBefore(filters, loadTexts, streamScreened)

      return {
        complete: (caller, parsed, listener) =>
          Step.map(answer(caller, parsed, listener), toChatCompletion),
        answer,
        // Each run is a request of its own.
        stream: (caller, parsed, listener) => withContext(() => stream(caller, parsed, listener)),
        plan: (caller, parsed, replay) =>
          Step.flatMap(makeQuery(caller, parsed), (query) => routing.plan(query, replay))
      }
    })
  ).pipe(Layer.provide(RouteRecorder.layer))
}

interface BegunChat {
  readonly active: ActiveChat
  /** What to route. */
  readonly query: RouteQuery<ChatCapability>
  /** Whether an experiment needs its answer; undefined: it takes part in none. */
  readonly isShadowed: boolean | undefined
}

/** The record keeps what the provider said. */
const heal = (answer: ChatAnswer, listener: RouteObserver | undefined): Effect.Effect<ChatAnswer> =>
  Effect.map(loadHealing(), ({ healAnswer, healingStage }) => {
    const reply = healAnswer(answer.reply)
    if (reply !== answer.reply) listener?.onStage?.(healingStage)
    return { ...answer, reply }
  })

const loadHealing = loadOnce(() => import("./healAnswer.ts"))

const missingModel = new InvalidRequest({
  path: ["model"],
  problem: "names no model, and the workspace has no default_text_model"
})

/**
 * Compares the first choices: the names and arguments of the tools they call; else their texts, as JSON when both are, and
 * otherwise apart from blanks. Undefined when an answer has neither tools nor text.
 */
export const haveSameContent = (
  [one]: ReadonlyArray<ChatChoice>,
  [other]: ReadonlyArray<ChatChoice>
): boolean | undefined => {
  const [mine, theirs] = [toContent(one), toContent(other)]
  return mine === undefined || theirs === undefined ? undefined : Equal.equals(mine, theirs)
}

const toContent = (choice: ChatChoice | undefined): unknown => {
  if (choice === undefined) return undefined
  const { parts } = choice.answer
  const calls = parts.filter((part) => part.type === "call")
  if (calls.length > 0) {
    return calls.map(({ arguments: given, name }) => ({ name, arguments: toComparable(given) }))
  }
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  return text.trim() === "" ? undefined : toComparable(text)
}

const toComparable = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text.trim().replaceAll(/\s+/g, " ")
  }
}
