/** Runs chat turns of interns. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Caller } from "../../../tenants/auth/Caller.ts"
import type { ChatRequest } from "../../chat/request/ChatRequest.ts"
import { Chats } from "../../chat/Chats.ts"
import {
  decodeChatRequest,
  flattenExtra,
  type ParsedChat
} from "../../chat/request/parseChatRequest.ts"
import { parseInProcess } from "../../../routing/parseRequest.ts"
import { Settings } from "../../../instance/Settings.ts"
import { Deadline } from "../../../values/Deadline.ts"
import { generateId } from "../../../values/ids/generateId.ts"
import { InvalidRequest, ResourceNotFound } from "../../../values/errors/RequestErrors.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import { findStoreUnavailable } from "../../../values/errors/StoreUnavailable.ts"
import { Vaults } from "../../vaults/Vaults.ts"
import type { Intern } from "../Intern.ts"
import { InternChatFailure } from "./InternChatRequest.ts"
import { type InternChunkHead, toInternChunks } from "./toInternChunks.ts"
import { InternHostService } from "../host/InternHost.ts"
import { Interns } from "../Interns.ts"
import type { InternChatError } from "./InternTurn.ts"
import { isDeleting } from "../InternStatus.ts"
import { makeInternSecretReleaser } from "../host/InternHostClient.ts"
import { InternChats } from "./InternChats.ts"

/** The chats of an intern are steps of its work, and many: the host decides how often they are made. */
const withoutHedging = (parsed: ParsedChat): ParsedChat => ({
  ...parsed,
  request: { ...parsed.request, provider: { ...parsed.request.provider, hedge: false } }
})

export const layerInternChats = Layer.effect(
  InternChats,
  Effect.gen(function* () {
    const chats = yield* Chats
    const host = yield* InternHostService
    const interns = yield* Interns
    const vaults = yield* Vaults
    const { internChatTimeoutMillis: deadlineMillis } = yield* Settings

    const timedOut = new InternChatFailure({
      reason: "timeout",
      problem: `the intern took longer than ${deadlineMillis} ms`
    })

    const modelCaller = (caller: Caller) => (request: ChatRequest) =>
      Effect.flatMap(parseTrustedChat(request), (parsed) =>
        chats.stream(caller, withoutHedging(parsed))
      )

    type SecretReleaser = ReturnType<typeof makeInternSecretReleaser>
    /** The failure of a host, redacted for callers; a defect of the host is logged. */
    const toChatFailure = (
      { redactFailure, toPublicMessage }: SecretReleaser,
      cause: Cause.Cause<InternChatError>
    ) => {
      const failed = cause.reasons.find(Cause.isFailReason)
      if (failed !== undefined) return Effect.fail(toPublicError(failed.error, toPublicMessage))
      // The HTTP layer answers an unavailable store.
      if (findStoreUnavailable(cause) !== undefined) {
        return Effect.failCause(Cause.fromReasons<never>(cause.reasons.filter(Cause.isDieReason)))
      }
      return Effect.andThen(
        Effect.logError(
          `the host of interns ${host.slug} has a fault: a turn`,
          redactFailure(cause)
        ),
        Effect.fail(unexpectedFailure)
      )
    }

    return {
      getByHostname: Effect.fnUntraced(function* ({ account, workspace }, hostname) {
        const found = yield* interns.findByHostname(hostname)
        return found?.account === account && found.workspace === workspace
          ? found
          : yield* new ResourceNotFound({ resource: "intern", id: hostname })
      }),
      chat: Effect.fnUntraced(function* (caller, intern, turn) {
        const unavailable = findUnavailability(intern)
        if (unavailable !== undefined) return yield* unavailable
        const { chat } = host
        if (chat === undefined) return yield* chatUnsupported
        const deadline = new Deadline(yield* Clock.Clock, deadlineMillis)
        const startedAt = deadline.now()
        const secrets = makeInternSecretReleaser(vaults, intern)
        const { hosted } = secrets
        const started = yield* Effect.suspend(() =>
          chat(hosted, { ...turn, caller, callModel: modelCaller(caller) })
        ).pipe(
          Effect.timeoutOrElse({
            duration: deadlineMillis,
            orElse: () => Effect.fail(timedOut)
          }),
          // An effect that interrupts itself has failed; an interruption from outside is not caught here.
          Effect.exit
        )
        if (Exit.isFailure(started)) return yield* toChatFailure(secrets, started.cause)
        const answer = started.value
        if (answer.type === "steered") return answer
        const head: InternChunkHead = {
          id: answer.id ?? (yield* generateTurnId),
          object: "chat.completion.chunk",
          created: Math.floor(startedAt / 1_000),
          model: answer.model ?? hosted.model ?? hosted.name
        }
        const remainingMillis = deadline.at - deadline.now()
        return {
          ...head,
          type: "stream",
          session: answer.session,
          chunks: toInternChunks(
            head,
            answer.session,
            secrets.redactEvents(answer.events).pipe(
              Stream.catchCause((cause) =>
                // The caller has disconnected.
                Cause.hasInterruptsOnly(cause)
                  ? Stream.failCause(
                      Cause.fromReasons<never>(cause.reasons.filter(Cause.isInterruptReason))
                    )
                  : Stream.fromEffect(toChatFailure(secrets, cause))
              ),
              Stream.interruptWhen(
                Effect.andThen(Effect.sleep(Math.max(0, remainingMillis)), Effect.fail(timedOut))
              )
            )
          )
        }
      })
    }
  })
)

const generateTurnId = generateId("turn", (id) => id)

/** Why the intern cannot answer now. */
const findUnavailability = (intern: Intern): InternChatFailure | undefined => {
  if (isDeleting(intern)) {
    return new InternChatFailure({ reason: "run_ended", problem: "the intern is being deleted" })
  }
  return intern.status === "running"
    ? undefined
    : new InternChatFailure({
        reason: "intern_not_ready",
        problem: `The intern is ${intern.status}, and answers when it is running`
      })
}

const chatUnsupported = new InternChatFailure({
  reason: "turn_failed",
  problem: "the host of this intern does not support chat"
})

const unexpectedFailure = new InternChatFailure({
  reason: "turn_failed",
  problem: "the intern failed unexpectedly"
})

/** Errors of routing never passed through the host, so they need no redaction. */
const toPublicError = (
  error: InternChatError,
  shown: (problem: string) => string
): InternChatError => {
  if (error._tag === "InvalidRequest") {
    return new InvalidRequest({ path: error.path, problem: shown(error.problem) })
  }
  if (error._tag !== "InternChatFailure") return error
  const { isRetryable, problem, reason, retryAfterMillis } = error
  return new InternChatFailure({
    reason,
    problem: shown(problem),
    ...omitUndefined({ isRetryable, retryAfterMillis })
  })
}

/** The host builds the request from parts whose sizes were checked, so the limits of requests do not apply. */
const parseTrustedChat: (request: ChatRequest) => Effect.Effect<ParsedChat, InvalidRequest> =
  Effect.fnUntraced(function* (request) {
    const settings = yield* Settings
    const unlimited = { ...settings, maxChatBodyBytes: Infinity, maxMessages: Infinity }
    return yield* parseInProcess(yield* flattenExtra(request), unlimited, decodeChatRequest).pipe(
      Effect.catchTag("RequestTooLarge", () =>
        Effect.fail(new InvalidRequest({ path: [], problem: "it is too large" }))
      )
    )
  })
