/** Has interns answer. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Caller } from "../auth/Caller.ts"
import type { ChatRequest } from "../chat/ChatRequest.ts"
import { Chats } from "../chat/Chats.ts"
import { chatOf } from "../chat/inProcess.ts"
import { Settings } from "../Settings.ts"
import { freshId } from "../values/freshId.ts"
import { InvalidRequest, Missing } from "../values/RequestErrors.ts"
import { StoreUnavailable } from "../values/StoreUnavailable.ts"
import type { Vaults } from "../vaults/Vaults.ts"
import type { Intern } from "./Intern.ts"
import { InternChatFailure } from "./InternChatErrors.ts"
import type { InternChatChunk } from "./InternChatChunk.ts"
import { type InternChunkHead, internChunking } from "./internChunking.ts"
import { InternHosting } from "./InternHost.ts"
import { Interns } from "./Interns.ts"
import type { AskedTurn, InternAnswer, InternChatError } from "./InternTurn.ts"
import { isLeaving } from "./lifecycle.ts"
import { releasing } from "./releasing.ts"

/** An answer that has begun. */
export interface InternChatStream extends InternChunkHead {
  readonly type: "stream"
  /** What a later turn continues. */
  readonly session: string
  /** Each piece as it comes, at last one with the usage. Fails when the answer breaks off. To be read once. */
  readonly chunks: Stream.Stream<InternChatChunk, InternChatError>
}

/** Runs the turns of conversations with interns. */
export class InternChats extends Context.Service<
  InternChats,
  {
    /** Who is reached at this hostname, if the caller may know of it. */
    readonly findAt: (caller: Caller, hostname: string) => Effect.Effect<Intern, Missing>
    /**
     * Begins a turn of an intern that runs, for a caller of its workspace. What its model costs is the caller's. The
     * turn ends with the scope at the latest.
     */
    readonly chat: (
      caller: Caller,
      intern: Intern,
      turn: AskedTurn
    ) => Effect.Effect<
      InternChatStream | Extract<InternAnswer, { type: "steered" }>,
      InternChatError,
      Scope.Scope
    >
  }
>()("@signalbox/core/interns/InternChats") {
  static readonly layer: Layer.Layer<InternChats, never, Chats | InternHosting | Interns | Vaults> =
    Layer.effect(
      InternChats,
      Effect.gen(function* () {
        const chats = yield* Chats
        const host = yield* InternHosting
        const interns = yield* Interns
        const release = yield* releasing
        const { internChatDeadlineMillis: deadlineMillis } = yield* Settings

        const late = new InternChatFailure({
          reason: "timeout",
          problem: `the intern took longer than ${deadlineMillis} ms`
        })

        const ask = (caller: Caller) => (request: ChatRequest) =>
          Effect.flatMap(chatOf(request), (parsed) => chats.stream(caller, parsed))

        type Release = ReturnType<typeof release>
        /** What its host fails with, as callers may see it; what is no failure of its is a fault. */
        const told = ({ blank, shown }: Release, cause: Cause.Cause<InternChatError>) => {
          const failed = cause.reasons.find(Cause.isFailReason)
          if (failed !== undefined) return Effect.fail(shownAs(failed.error, shown))
          const { reasons } = cause
          // What our own storage dies of is told as anywhere else.
          if (reasons.some((each) => Cause.isDieReason(each) && isStorage(each.defect))) {
            return Effect.failCause(Cause.fromReasons<never>(reasons.filter(Cause.isDieReason)))
          }
          return Effect.andThen(
            Effect.logError(`the host of interns ${host.slug} has a fault: a turn`, blank(cause)),
            Effect.fail(faulty)
          )
        }

        return {
          findAt: Effect.fnUntraced(function* ({ account, workspace }, hostname) {
            const found = yield* interns.findByHostname(hostname)
            return found?.account === account && found.workspace === workspace
              ? found
              : yield* new Missing({ what: "intern", id: hostname })
          }),
          chat: Effect.fnUntraced(function* (caller, intern, turn) {
            const refusal = refusalOf(intern)
            if (refusal !== undefined) return yield* refusal
            const { chat } = host
            if (chat === undefined) return yield* silent
            const startedAt = yield* Clock.currentTimeMillis
            const released = release(intern)
            const { hosted } = released
            const opened = yield* Effect.suspend(() =>
              chat(hosted, { ...turn, caller, ask: ask(caller) })
            ).pipe(
              Effect.timeoutOrElse({
                duration: deadlineMillis,
                orElse: () => Effect.fail(late)
              }),
              // What interrupts itself has failed; an interruption from outside goes past this.
              Effect.exit
            )
            if (Exit.isFailure(opened)) return yield* told(released, opened.cause)
            const answer = opened.value
            if (answer.type === "steered") return answer
            const head: InternChunkHead = {
              id: answer.id ?? (yield* freshTurn),
              object: "chat.completion.chunk",
              created: Math.floor(startedAt / 1_000),
              model: answer.model ?? hosted.model ?? hosted.name
            }
            const left = startedAt + deadlineMillis - (yield* Clock.currentTimeMillis)
            return {
              ...head,
              type: "stream",
              session: answer.session,
              chunks: internChunking(
                head,
                answer.session,
                released.sifted(answer.events).pipe(
                  Stream.catchCause((cause) =>
                    // Nobody is there to be told.
                    Cause.hasInterruptsOnly(cause)
                      ? Stream.failCause(
                          Cause.fromReasons<never>(cause.reasons.filter(isInterrupt))
                        )
                      : Stream.fromEffect(told(released, cause))
                  ),
                  Stream.interruptWhen(
                    Effect.andThen(Effect.sleep(Math.max(0, left)), Effect.fail(late))
                  )
                )
              )
            }
          })
        }
      })
    )
}

const freshTurn = freshId("turn", (id) => id)

const isInterrupt = Cause.isInterruptReason

const isStorage = (defect: unknown): boolean => defect instanceof StoreUnavailable

/** Why nobody is to be asked at all. */
const refusalOf = (intern: Intern): InternChatFailure | undefined => {
  if (isLeaving(intern)) {
    return new InternChatFailure({ reason: "run_ended", problem: "the intern is being deleted" })
  }
  return intern.status === "running"
    ? undefined
    : new InternChatFailure({
        reason: "intern_not_ready",
        problem: `The intern is ${intern.status}, and answers when it is running`
      })
}

const silent = new InternChatFailure({
  reason: "turn_failed",
  problem: "where this intern runs, interns do not talk"
})

const faulty = new InternChatFailure({
  reason: "turn_failed",
  problem: "the intern failed unexpectedly"
})

/** What comes of routing has been in no host's hands. */
const shownAs = (error: InternChatError, shown: (problem: string) => string): InternChatError => {
  if (error._tag === "InvalidRequest") {
    return new InvalidRequest({ path: error.path, problem: shown(error.problem) })
  }
  if (error._tag !== "InternChatFailure") return error
  const { isRetryable, problem, reason, retryAfterMillis } = error
  return new InternChatFailure({
    reason,
    problem: shown(problem),
    ...(isRetryable === undefined ? undefined : { isRetryable }),
    ...(retryAfterMillis === undefined ? undefined : { retryAfterMillis })
  })
}
