/** The cache of responses: which requests use it, what a hit is, and how requests that are the same share one call. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import {
  type CachedAnswerOwner,
  ResponseCacheStore
} from "../../engine/cache/ResponseCacheStore.ts"
import type { SemanticPrompt } from "../../engine/cache/SemanticCache.ts"
import { Sealer } from "../../engine/secrets/Sealer.ts"
import { Settings } from "../../instance/Settings.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { type RouteAttempt, sumCost } from "../attempt/RouteAttempt.ts"
import { isByok } from "../Candidate.ts"
import { findDroppedParameters } from "../plan/findDroppedParameters.ts"
import type { CapabilityTraits, PlannedRoute, RouteQuery, RouteResult } from "../RouteQuery.ts"
import { Routing } from "../Routing.ts"
import { CurrentResponseCacheRules } from "./CacheWish.ts"
import { findServable, mayUseCache } from "./findServable.ts"
import { makeAnswerKey } from "./makeAnswerKey.ts"
import { makeSemanticStage } from "./makeSemanticStage.ts"
import type { AnswerCaching } from "./AnswerCaching.ts"
import { type CachedRequest, ResponseCache } from "./ResponseCache.ts"
import { makeStoredAnswers, type StoredAnswer } from "./StoredAnswer.ts"

/** A request whose form is known. */
interface KnownRequest<A> extends Omit<CachedRequest<A>, "caching"> {
  readonly caching: AnswerCaching<A>
}

interface Found {
  readonly stored: StoredAnswer
  /** Its request asked the same in other words; absent: it was the same. */
  readonly match?: "semantic"
}

/** The call that others wait for; undefined: it came to nothing that could be stored. */
type Flight = Deferred.Deferred<Found | undefined>

/** What a semantic cache compares of a request. */
type Prompt = Omit<SemanticPrompt, "signal">

export const layerResponseCache = Layer.effect(
  ResponseCache,
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const digest = yield* Digest.Digest
    const routing = yield* Routing
    const { scope, semantic } = yield* CurrentResponseCacheRules
    const { refuseIgnoredFields, responseCacheWaitMillis, semanticCacheTimeoutMillis } =
      yield* Settings
    const stage =
      semantic === undefined
        ? undefined
        : makeSemanticStage(semantic, semanticCacheTimeoutMillis, yield* Effect.scope)
    const answers = makeStoredAnswers({
      clock,
      sealer: yield* Sealer,
      settings: yield* Settings,
      store: yield* ResponseCacheStore
    })
    /** By the key of the answer. */
    const flights = new Map<string, Flight>()

    /** Undefined when the answer does not fit this caller, lacks what a strict request asks for, or cannot be read. */
    const serve = Effect.fnUntraced(function* <A>(
      { caching, observer, query }: KnownRequest<A>,
      planned: PlannedRoute,
      { match, stored }: Found
    ): Effect.fn.Return<RouteResult<A> | undefined> {
      const candidate = findServable(query, planned, stored.endpoint)
      const now = clock.currentTimeMillisUnsafe()
      if (candidate === undefined || !isFresh(stored, now)) return undefined
      const [dropped] = findDroppedParameters([candidate], query.requirements)
      const ignored = [...(dropped?.parameters ?? []), ...(stored.changed ?? [])]
      const isStrict = observer.isStrict ?? refuseIgnoredFields
      if (isStrict && ignored.length > 0) return undefined
      // The conversation stays where its prompt is cached.
      const { affinity: _, ...plan } = planned
      observer.onPlan(plan)
      observer.onCache?.({
        status: "HIT",
        ttlSeconds: Math.max(0, Math.ceil((stored.expiresAt - now) / 1_000)),
        ageSeconds: Math.max(0, Math.floor((now - stored.storedAt) / 1_000)),
        source: stored.source,
        ...omitUndefined({ match })
      })
      if (ignored.length > 0) observer.onIgnored?.(ignored, candidate)
      const value = yield* caching.replay(stored.answer, candidate)
      if (value === undefined) return undefined
      const { cost, source } = stored
      return {
        value,
        candidate,
        attempts: [],
        cached: { id: source, ...omitUndefined({ cost, match }) }
      }
    })

    /** Only where there is a semantic cache, and the request is one that it may compare. */
    const toPrompt = Effect.fnUntraced(function* <A>(
      { caching, query }: KnownRequest<A>,
      models: ReadonlyArray<string>,
      owner: CachedAnswerOwner
    ): Effect.fn.Return<Prompt | undefined> {
      const prompt = stage === undefined ? undefined : caching.getPrompt?.()
      if (prompt === undefined) return undefined
      const partition = yield* toKey(query, models, ["semantic", prompt.rest])
      return { partition, text: prompt.text, owner }
    })

    const toKey = (
      query: RouteQuery<CapabilityTraits>,
      models: ReadonlyArray<string>,
      content: unknown
    ): Effect.Effect<string> => makeAnswerKey(query, models, content, scope, digest)

    /** Of the same partition, even if the code of the host returns another one. */
    const findSimilar = Effect.fnUntraced(function* (prompt: Prompt) {
      const key = yield* stage?.find(prompt) ?? Effect.undefined
      const stored = key === undefined ? undefined : yield* answers.find(key, prompt.owner)
      return stored?.partition === prompt.partition ? stored : undefined
    })

    /** Finds an answer in other words or asks a provider, tells those who wait, and stores what is new. */
    const lead = <A>(
      key: string,
      request: KnownRequest<A>,
      planned: PlannedRoute,
      owner: CachedAnswerOwner,
      flight: Flight | undefined
    ) => {
      const { caching, id, observer, route, use } = request
      const land = (found: Found | undefined): void => {
        if (flight !== undefined) Deferred.doneUnsafe(flight, Exit.succeed(found))
      }
      const ask = (prompt: Prompt | undefined) =>
        Effect.suspend(() => {
          observer.onCache?.({ status: "MISS", ttlSeconds: use.ttlSeconds })
          caching.collect?.()
          return route()
        }).pipe(
          Effect.tap((result) => {
            const now = clock.currentTimeMillisUnsafe()
            const stored = toStored(id, use.ttlSeconds, now, result, caching, prompt)
            land(stored && { stored })
            if (stored === undefined) return Effect.void
            const put = answers.put(key, owner, stored)
            if (stage === undefined || prompt === undefined) return put
            const { expiresAt } = stored
            return Effect.andThen(put, stage.add({ ...prompt, key, expiresAt }))
          })
        )
      const leading = Effect.fnUntraced(function* () {
        const prompt = yield* toPrompt(request, planned.models, owner)
        // Others wait for one call alone: who asks beside it has waited long enough.
        const mayBeSimilar =
          prompt !== undefined && flight !== undefined && !use.isExact && !use.isCleared
        const stored = mayBeSimilar ? yield* findSimilar(prompt) : undefined
        if (stored === undefined) return yield* ask(prompt)
        const found = { stored, match: "semantic" } as const
        const hit = yield* serve(request, planned, found)
        if (hit === undefined) return yield* ask(prompt)
        land(found)
        return hit
      })
      return Effect.suspend(() => {
        // Here, where it is removed again even if the request is interrupted at once.
        if (flight !== undefined) flights.set(key, flight)
        return stage === undefined ? ask(undefined) : leading()
      }).pipe(
        Effect.ensuring(
          // Not before the answer is stored, so that no request meanwhile finds neither.
          Effect.sync(() => {
            if (flight !== undefined && flights.get(key) === flight) flights.delete(key)
            land(undefined)
          })
        )
      )
    }

    /** Waits for the call of another request, at most until `until`. */
    const follow = (flight: Flight, until: number) =>
      Effect.timeoutOption(
        Deferred.await(flight),
        Math.max(0, until - clock.currentTimeMillisUnsafe())
      )

    const answer = Effect.fnUntraced(function* <A>(unread: CachedRequest<A>) {
      const { query, route, use } = unread
      const planning = yield* Effect.exit(routing.plan(query))
      if (Exit.isFailure(planning)) return yield* route()
      const planned = planning.value
      if (!mayUseCache(query, planned)) return yield* route()
      const caching = yield* unread.caching
      if (caching.content === undefined) return yield* route()
      const request = { ...unread, caching }
      const { models } = planned
      const key = yield* toKey(query, models, caching.content)
      const owner = toOwner(query)
      const until = clock.currentTimeMillisUnsafe() + responseCacheWaitMillis
      if (use.isCleared) yield* answers.remove(key)
      for (let led = 0; led < maxLeaders; led++) {
        const stored = use.isCleared ? undefined : yield* answers.find(key, owner)
        const hit = stored === undefined ? undefined : yield* serve(request, planned, { stored })
        if (hit !== undefined) return hit
        const flight = flights.get(key)
        if (flight === undefined) {
          return yield* lead(key, request, planned, owner, Deferred.makeUnsafe())
        }
        // Its caller wants a new answer, and that of another endpoint would come again.
        if (use.isCleared || stored !== undefined) break
        const landed = yield* follow(flight, until)
        if (Option.isNone(landed)) break
        const found = landed.value
        const isOther = found === undefined || (found.match !== undefined && use.isExact)
        const shared = isOther ? undefined : yield* serve(request, planned, found)
        if (shared !== undefined) return shared
      }
      return yield* lead(key, request, planned, owner, undefined)
    })

    return { answer }
  })
)

/** How many requests one waits for that came to nothing, before it goes on by itself. */
const maxLeaders = 2

const toOwner = ({
  caller: { account, keyHash, user, workspace },
  externalUser
}: RouteQuery<CapabilityTraits>): CachedAnswerOwner => ({
  account,
  workspace,
  ...omitUndefined({ keyHash, user, externalUser })
})

/**
 * The process that stored it may have another clock than this one. By a clock that is behind, an answer would last for longer than
 * it may.
 */
const isFresh = ({ expiresAt, storedAt }: StoredAnswer, now: number): boolean =>
  now < expiresAt && storedAt <= now + maxSkewMillis

/** By how much the clocks of processes usually differ at most. */
const maxSkewMillis = 1_000

/** Undefined when it must not answer others: it is incomplete, or a customer's own credential paid for it. */
const toStored = <A>(
  source: StoredAnswer["source"],
  ttlSeconds: number,
  now: number,
  { attempts, candidate, value }: RouteResult<A>,
  { write }: AnswerCaching<A>,
  prompt: Prompt | undefined
): StoredAnswer | undefined => {
  if (isByok(candidate) || attempts.some(wasByok)) return undefined
  const answer = write(value)
  if (answer === undefined) return undefined
  const cost = sumCost(attempts)
  return {
    source,
    endpoint: candidate.endpoint.id,
    storedAt: now,
    expiresAt: now + ttlSeconds * 1_000,
    answer,
    ...omitUndefined({
      changed: attempts.at(-1)?.changed,
      cost,
      partition: prompt?.partition
    })
  }
}

const wasByok = ({ candidate, usage }: RouteAttempt): boolean =>
  isByok(candidate) && usage !== undefined
