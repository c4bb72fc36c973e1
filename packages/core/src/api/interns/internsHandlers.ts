/** Handlers of the intern operations. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type {
  InternChatMessage,
  InternChatRequest
} from "../../domains/interns/chat/InternChatRequest.ts"
import type {
  InternTurnRequest,
  InternMessage,
  InternPrompt
} from "../../domains/interns/chat/InternTurn.ts"
import { Interns } from "../../domains/interns/Interns.ts"
import { InternChats, type InternChatStream } from "../../domains/interns/chat/InternChats.ts"
import { toLastInternChunk } from "../../domains/interns/chat/toInternChunks.ts"
import { toInternResponse } from "../../domains/interns/toInternResponse.ts"
import { Drain } from "../../instance/Drain.ts"
import { Settings } from "../../instance/Settings.ts"
import { failInvalid } from "../../routing/parseRequest.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { fromStream, type PushStream } from "../../values/push/PushStream.ts"
import { toCursorPageResponse } from "../contract/envelopes.ts"
import { toCursorRequest } from "../contract/pageQueries.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import { WorkspaceMismatch } from "../errors/HttpErrors.ts"
import type { Handler, Handlers } from "../operation/Handler.ts"
import { reply, StreamedReply } from "../operation/Reply.ts"
import { makeWithTimeout } from "../operation/makeWithTimeout.ts"
import { doneEvent, eventStreamResponse, toEvent } from "../operation/serverSentEvents.ts"
import type { EventStreamOptions } from "../operation/withKeepalive.ts"
import { writeAnswer } from "../operation/JsonAnswer.ts"
import type { InternsApi } from "./InternsApi.ts"
import type { internChatEndpoint } from "./internChatEndpoint.ts"

export const internsHandlers = Effect.gen(function* () {
  const interns = yield* Interns
  const { internWorkspaceFromKey } = yield* Settings

  return {
    create: Effect.fnUntraced(function* ({ headers, payload }, { caller, isInProcess }) {
      const { workspace_id, ...wanted } = payload
      if (workspace_id === undefined && !internWorkspaceFromKey && !isInProcess) {
        return yield* new InvalidRequest({ path: ["workspace_id"], problem: "missing" })
      }
      yield* requireKeyWorkspace(caller, workspace_id)
      const { intern, isNew } = yield* interns.create(caller, wanted, headers["idempotency-key"])
      return reply(isNew ? 201 : 200, toInternResponse(intern))
    }),
    list: Effect.fnUntraced(function* ({ query }, { caller }) {
      yield* requireKeyWorkspace(caller, query.workspace_id)
      const page = yield* interns.list(caller, query.status, toCursorRequest(query))
      return toCursorPageResponse(page, toInternResponse)
    }),
    get: ({ params }, { caller }) =>
      Effect.map(interns.get(caller, params.internId), toInternResponse),
    update: ({ params, payload }, { caller }) =>
      Effect.map(interns.update(caller, params.internId, payload), toInternResponse),
    delete: ({ params, payload }, { caller }) =>
      Effect.as(
        interns.destroy(caller, params.internId, {
          acknowledgesLoss: payload.acknowledge_workspace_loss ?? false
        }),
        { deleting: true as const }
      ),
    provision: ({ params }, { caller }) =>
      Effect.as(interns.provision(caller, params.internId), { provisioning: true as const }),
    suspend: ({ params }, { caller }) =>
      Effect.as(interns.suspend(caller, params.internId), { suspended: true as const }),
    chat: yield* makeInternChatHandler
  } satisfies Handlers<typeof InternsApi>
})

/** A request may name only the workspace of its key. */
const requireKeyWorkspace = ({ workspace }: Caller, named: string | undefined) =>
  named === undefined || named === workspace ? Effect.void : Effect.fail(new WorkspaceMismatch())

/** The handler of chats with interns. */
const makeInternChatHandler = Effect.gen(function* () {
  const chats = yield* InternChats
  const clock = yield* Clock.Clock
  const drain = yield* Drain
  const interns = yield* Interns
  const { keepaliveMillis } = yield* Settings
  const withTimeout = yield* makeWithTimeout

  const handle: Handler<typeof internChatEndpoint> = Effect.fnUntraced(function* (
    { params, payload },
    { caller, internHostname, scope }
  ) {
    const turn = yield* Effect.fromResult(parseTurn(payload))
    const intern = yield* withTimeout(
      internHostname === undefined
        ? interns.get(caller, params.internId)
        : chats.getByHostname(caller, internHostname)
    )
    const answer = yield* Scope.provide(chats.chat(caller, intern, turn), scope)
    if (answer.type === "steered") {
      const body = { session_id: answer.session, status: "steered" }
      return new StreamedReply(Stream.empty, () =>
        HttpServerResponse.jsonUnsafe(body, { status: 202 })
      )
    }
    return new StreamedReply(answer.chunks, () =>
      eventStreamResponse(toInternChatEvents(answer, { clock, keepaliveMillis, drain }))
    )
  })
  return handle
})

/**
 * The status has been sent by the time a stream fails, so the failure is a chunk with a finish reason. The session
 * continues, so its id and `[DONE]` follow as after any other finish.
 */
const toInternChatEvents = (
  { chunks, created, id, model, object, session }: InternChatStream,
  options: EventStreamOptions
): PushStream<string> => {
  const head = { id, object, created, model }
  const toFailureEvent = ({ message, metadata, status }: ErrorResponse): string =>
    toEvent({
      ...head,
      choices: [{ index: 0, delta: {}, finish_reason: "error" }],
      error: { code: status, message, metadata }
    }) + toEvent(toLastInternChunk(head, session, null))
  return writeAnswer(
    fromStream(chunks),
    {
      write: (arrived) => arrived.map(toEvent).join(""),
      end: () => doneEvent,
      fail: (error) => toFailureEvent(error) + doneEvent
    },
    options,
    { envelope: "internChat" }
  )
}

/** UTF-16 code units. */
const maxPromptLength = 32_000

/** Parses a chat request into a turn. */
const parseTurn = ({
  approval_mode,
  messages,
  session_id
}: InternChatRequest): Result.Result<InternTurnRequest, InvalidRequest> => {
  const at = messages.length - 1
  const last = messages[at]
  if (last === undefined) return failInvalid(["messages"], "must have at least one message")
  const text = toText(last)
  if (text === "") return failInvalid(["messages", at, "content"], "must have a text")
  let prompt: InternPrompt
  if (last.role === "user") {
    if (text.length > maxPromptLength) {
      return failInvalid(
        ["messages", at, "content"],
        `must have at most ${maxPromptLength} characters, got ${text.length}`
      )
    }
    prompt = { role: "user", text }
  } else if (last.role === "tool") {
    if (session_id === undefined) {
      return failInvalid(["session_id"], "missing; a tool message answers a question of a session")
    }
    prompt = { role: "tool", text, questionId: last.tool_call_id }
  } else {
    return failInvalid(["messages", at, "role"], "the last message must be of a user or a tool")
  }
  return Result.succeed({
    prompt,
    history: messages
      .slice(0, at)
      .map((message): InternMessage => ({ role: message.role, text: toText(message) })),
    ...(session_id === undefined ? undefined : { session: session_id }),
    approval: approval_mode ?? "self-drive"
  })
}

const toText = ({ content }: InternChatMessage): string => {
  if (content === null || content === undefined) return ""
  return typeof content === "string" ? content : content.map(({ text }) => text).join("")
}
