/** Runs a chat in a span of its trace. */
import type * as Effect from "effect/Effect"
import { withTrace } from "../../engine/observability/tracing/withTrace.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"

export const traceChat = <A, E>(
  { request }: ParsedChat,
  observer: RouteObserver | undefined,
  run: () => Effect.Effect<A, E>
): Effect.Effect<A, E> => withTrace(run, request.trace, "chat", observer)
