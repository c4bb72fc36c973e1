/** Answers for interns in process: a model of this service with the intern's instructions, and no memory. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { ChatChunk } from "../../chat/stream/ChatChunk.ts"
import type { ChatUsage } from "../../chat/ChatCompletion.ts"
import type { ChatRequestMessage } from "../../chat/request/ChatRequestMessage.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import { generateId } from "../../../values/ids/generateId.ts"
import type { InternChatUsage } from "./InternChatChunk.ts"
import { InternChatFailure } from "./InternChatRequest.ts"
import { type HostedIntern, noModelMessage } from "../host/InternHost.ts"
import type {
  InternAnswer,
  InternChatError,
  InternChatEvent,
  InternMessage,
  InternTurn
} from "./InternTurn.ts"

export const chatInProcess: (
  intern: HostedIntern,
  turn: InternTurn
) => Effect.Effect<InternAnswer, InternChatError, Scope.Scope> = Effect.fnUntraced(function* (
  { instructions, model },
  { callModel, history, prompt, session: named }
) {
  // These interns ask no questions.
  if (prompt.role === "tool") {
    return yield* new InternChatFailure({
      reason: "interaction_unknown",
      problem: "the intern has not asked this"
    })
  }
  const session = named ?? (yield* generateSessionId)
  const systemMessages: ReadonlyArray<InternMessage> =
    instructions === null || instructions === "" ? [] : [{ role: "system", text: instructions }]
  const answer = yield* callModel({
    ...(model === null ? undefined : { model }),
    messages: [...systemMessages, ...history.filter(hasText), prompt].flatMap(toMessages),
    session_id: session,
    stream: true
  }).pipe(Effect.mapError((error) => toInternError(error, model)))
  return {
    type: "stream",
    session,
    id: answer.id,
    model: answer.model,
    events: Stream.map(answer.chunks, toEvent)
  }
})

const generateSessionId = generateId("session", (id) => id)

const hasText = ({ text }: InternMessage): boolean => text !== ""

/** The model has no tools, so tool messages would mean nothing to it. */
const toMessages = ({
  role,
  text
}: Pick<InternMessage, "role" | "text">): ReadonlyArray<ChatRequestMessage> =>
  role === "tool" ? [] : [{ role, content: text }]

/** The request to the model is built here, so an invalid one is not the caller's error. */
const toInternError = (error: InternChatError, model: string | null): InternChatError => {
  if (error._tag !== "InvalidRequest") return error
  const path = error.path.join(".")
  const problem = path === "model" && model === null ? noModelMessage : `${path}: ${error.problem}`
  return new InternChatFailure({ reason: "turn_failed", problem })
}

const toEvent = ({ choices, usage }: ChatChunk): InternChatEvent => {
  if (usage !== undefined) return { type: "end", usage: toUsage(usage) }
  const { content, reasoning, refusal } = choices.find(({ index }) => index === 0)?.delta ?? {}
  // The chunks of interns have no field for a refusal.
  const said = isNonEmptyText(content) ? content : refusal
  return {
    type: "delta",
    ...(isNonEmptyText(said) ? { content: said } : undefined),
    ...(isNonEmptyText(reasoning) ? { reasoning } : undefined)
  }
}

const isNonEmptyText = (value: unknown): value is string =>
  typeof value === "string" && value !== ""

const toUsage = ({
  completion_tokens,
  cost,
  prompt_tokens,
  prompt_tokens_details: details,
  total_tokens
}: ChatUsage): InternChatUsage => {
  const cached = Predicate.hasProperty(details, "cached_tokens") ? details.cached_tokens : undefined
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens,
    ...omitUndefined({ cost }),
    ...(typeof cached === "number" && Number.isSafeInteger(cached)
      ? { prompt_tokens_details: { cached_tokens: cached } }
      : undefined)
  }
}
