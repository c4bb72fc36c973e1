/** Chats in process, through the same door as the wire. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import type { CallerConfig } from "../auth/CallerConfig.ts"
import { type Callers, resolveCaller } from "../auth/Callers.ts"
import { Settings } from "../Settings.ts"
import { InvalidRequest, type RequestTooLarge } from "../values/errors/RequestErrors.ts"
import { stringifyRequest } from "../values/json/stringifyRequest.ts"
import type { ChatCompletion } from "./ChatCompletion.ts"
import type { ChatRequest } from "./ChatRequest.ts"
import { type ChatError, Chats, type ChatStream } from "./Chats.ts"
import { isRouterField, type ParsedChat, parseChatRequest } from "./parseChatRequest.ts"

/**
 * The request as the wire has it: what is in `extra` stands beside the rest. What has a name of its own is refused
 * there, because one of the two would be dropped.
 */
export const flattenExtra = (request: unknown): Effect.Effect<unknown, InvalidRequest> => {
  if (!Predicate.isObject(request) || !("extra" in request)) return Effect.succeed(request)
  const { extra, ...rest } = request
  if (extra === undefined) return Effect.succeed(rest)
  if (!Predicate.isObject(extra) || Array.isArray(extra)) {
    return Effect.fail(new InvalidRequest({ path: ["extra"], problem: "must be an object" }))
  }
  const conflict = Object.keys(extra).find(
    (name) => isRouterField(name) || Object.hasOwn(rest, name)
  )
  return conflict === undefined
    ? // Spread and literals would take `__proto__` for the prototype.
      Effect.succeed(Object.fromEntries([...Object.entries(rest), ...Object.entries(extra)]))
    : Effect.fail(
        new InvalidRequest({ path: ["extra", conflict], problem: "belongs beside `extra`, once" })
      )
}

/** Of one that is made in the service itself: however large it is, its parts were let in before. */
export const parseTrustedChat: (request: ChatRequest) => Effect.Effect<ParsedChat, InvalidRequest> =
  Effect.fnUntraced(function* (request) {
    const settings = yield* Settings
    const { bytes, text } = yield* stringifyRequest(yield* flattenExtra(request))
    const parsed = parseChatRequest(text, {
      bytes,
      settings: { ...settings, maxChatBodyBytes: Infinity, maxMessages: Infinity }
    })
    return yield* Effect.mapError(Effect.fromResult(parsed), (error) =>
      error._tag === "InvalidRequest"
        ? error
        : new InvalidRequest({ path: [], problem: "it is too large" })
    )
  })

/** Through JSON like one from the wire, so what cannot be JSON is an `InvalidRequest`. */
const parseChat: (
  request: ChatRequest
) => Effect.Effect<ParsedChat, InvalidRequest | RequestTooLarge> = Effect.fnUntraced(
  function* (request) {
    const settings = yield* Settings
    const { bytes, text } = yield* stringifyRequest(yield* flattenExtra(request))
    return yield* Effect.fromResult(parseChatRequest(text, { bytes, settings }))
  }
)

/** The whole answer to `request`, whatever its `stream` says, asked by `caller` (default: the application itself). */
export const chat: (
  request: ChatRequest,
  caller?: CallerConfig
) => Effect.Effect<ChatCompletion, ChatError | RequestTooLarge, Callers | Chats> =
  Effect.fnUntraced(function* (request, caller) {
    const chats = yield* Chats
    return yield* chats.complete(yield* resolveCaller(caller), yield* parseChat(request))
  })

/** The same piece by piece. */
export const streamChat: (
  request: ChatRequest,
  caller?: CallerConfig
) => Effect.Effect<ChatStream, ChatError | RequestTooLarge, Callers | Chats | Scope.Scope> =
  Effect.fnUntraced(function* (request, caller) {
    const chats = yield* Chats
    return yield* chats.stream(yield* resolveCaller(caller), yield* parseChat(request))
  })
