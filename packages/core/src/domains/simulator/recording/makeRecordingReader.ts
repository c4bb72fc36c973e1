/** Exports the traffic of all accounts as a recording. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type {
  Generation,
  GenerationAttempt
} from "../../../engine/observability/generations/Generation.ts"
import type {
  GenerationPageRequest,
  GenerationPosition
} from "../../../engine/observability/generations/GenerationFilter.ts"
import { GenerationStore } from "../../../engine/observability/generations/GenerationStore.ts"
import type { RecordedAttempt, RecordedRequest } from "./RecordedRequest.ts"

/** A page of a recording, in the order of time. It may hold fewer requests than were asked for, even none. */
export interface RecordingPage {
  readonly rows: ReadonlyArray<RecordedRequest>
  /** Where the next page begins; absent on the last page. */
  readonly next?: GenerationPosition
}

const dayMillis = 86_400_000

/** Reads pages of a recording; `since` is in milliseconds since the epoch, by default a day ago. */
export const makeRecordingReader: Effect.Effect<
  (since: number | undefined, page: GenerationPageRequest) => Effect.Effect<RecordingPage>,
  never,
  GenerationStore
> = Effect.gen(function* () {
  const store = yield* GenerationStore
  const clock = yield* Clock.Clock
  return (since, page) => {
    // A later page goes on where the last one ended, although the day has moved on.
    const from = since ?? page.after?.startedAt ?? clock.currentTimeMillisUnsafe() - dayMillis
    return Effect.map(store.scan(from, page), ({ next, rows }) => ({
      rows: rows.flatMap((generation) => toRecordedRequest(generation) ?? []),
      ...(next === undefined ? undefined : { next })
    }))
  }
})

/**
 * Undefined for what a simulation cannot replay: videos, requests that made no attempt, and requests on a customer's own
 * credential, which reach other capacity.
 */
export const toRecordedRequest = ({
  attempts,
  operation,
  requestedModel,
  startedAt,
  usage
}: Generation): RecordedRequest | undefined => {
  if (operation === "videos" || attempts.length === 0) return undefined
  if (attempts.some(({ isByok }) => isByok === true)) return undefined
  return {
    at: startedAt,
    model: findModel(attempts) ?? requestedModel,
    prompt_tokens: usage?.inputTokens ?? 0,
    completion_tokens: usage?.outputTokens ?? 0,
    attempts: toRecordedAttempts(attempts, startedAt)
  }
}

/** Attempts follow each other, except for a second one beside one that took long. */
const toRecordedAttempts = (
  attempts: ReadonlyArray<GenerationAttempt>,
  startedAt: number
): ReadonlyArray<RecordedAttempt> => {
  let at = startedAt
  const starts = new Map<GenerationAttempt, number>()
  for (const attempt of attempts) {
    if (attempt.hedge === true) continue
    at += (attempt.queueMillis ?? 0) + (attempt.queuedMillis ?? 0)
    starts.set(attempt, at)
    at += attempt.latencyMillis
  }
  const hedge = attempts.find((attempt) => attempt.hedge === true)
  if (hedge !== undefined) starts.set(hedge, findHedgeStart(hedge, starts) ?? startedAt)
  return attempts
    .map((attempt) => toRecordedAttempt(attempt, starts.get(attempt) ?? startedAt))
    .toSorted((one, other) => one.at - other.at)
}

/** The loser was cut off when the other one began to answer, which tells how long it had been waited for. */
const findHedgeStart = (
  hedge: GenerationAttempt,
  starts: ReadonlyMap<GenerationAttempt, number>
): number | undefined => {
  const others = Array.from(starts)
  const rival =
    hedge.lost === true
      ? others.find(([{ outcome }]) => outcome === "served")
      : others.find(([{ lost }]) => lost === true)
  if (rival === undefined) return others.at(-1)?.[1]
  const [attempt, at] = rival
  const [winner, loser] = hedge.lost === true ? [attempt, hedge] : [hedge, attempt]
  const winnerMillis = winner.firstEventMillis ?? winner.latencyMillis
  const apart =
    hedge.lost === true ? winnerMillis - loser.latencyMillis : loser.latencyMillis - winnerMillis
  return at + Math.max(0, apart)
}

/** Callers may name an alias, and answers a dated version; endpoints name the model itself. */
const findModel = ([first]: ReadonlyArray<GenerationAttempt>): string | undefined => {
  const end = first?.endpoint.lastIndexOf("@") ?? -1
  return end > 0 ? first?.endpoint.slice(0, end) : undefined
}

const toRecordedAttempt = (
  { endpoint, firstEventMillis, latencyMillis, outcome, status }: GenerationAttempt,
  at: number
): RecordedAttempt => {
  const isServed = outcome === "served"
  return {
    endpoint,
    at,
    status: isServed ? 200 : givenUp.has(outcome) ? 499 : (status ?? 0),
    ...(isServed ? undefined : { kind: outcome }),
    ...(firstEventMillis === undefined ? undefined : { first_ms: firstEventMillis }),
    whole_ms: latencyMillis
  }
}

/** The router or the caller ended these attempts, not the endpoint. */
const givenUp: ReadonlySet<string> = new Set(["interrupted", "lost", "unread"])
