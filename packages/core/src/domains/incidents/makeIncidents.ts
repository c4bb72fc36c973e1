/** Lists incidents with what became of the requests that they concerned. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { GenerationStore } from "../../engine/observability/generations/GenerationStore.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { CursorPage, CursorRequest } from "../../values/pages/CursorPage.ts"
import { ImpactCount } from "./ImpactCount.ts"
import { findEnd, type Incident, type IncidentImpact, staleMillis } from "./Incident.ts"
import { type IncidentFilter, IncidentStore } from "./IncidentStore.ts"

/** An incident, and its end in milliseconds since the epoch; undefined: it lasts. */
export interface ListedIncident {
  readonly incident: Incident
  readonly providerName: string
  readonly endedAt: number | undefined
  /** Null: there was no room to count, which another call has. */
  readonly impact: IncidentImpact | null
}

/** Made once for an instance. */
export const makeIncidents = Effect.gen(function* () {
  const catalog = yield* Catalog
  const clock = yield* Clock.Clock
  const generations = yield* GenerationStore
  const store = yield* IncidentStore
  /** Counts that have begun, by incident. */
  const counts = new Map<string, { readonly count: ImpactCount; readonly state: string }>()
  const oneAtATime = Semaphore.makeUnsafe(1).withPermits(1)

  /** Reads at most `budget` records; returns how many. Calls go on where earlier ones stopped. */
  const countImpact = Effect.fnUntraced(function* (
    { endedAt, incident, providerName }: Omit<ListedIncident, "impact">,
    budget: number
  ) {
    const now = clock.currentTimeMillisUnsafe()
    const isFinal = endedAt !== undefined && now - endedAt > settleMillis
    // Requests are recorded when they end, so the last count begins anew. Another endpoint may have failed, too.
    const state = JSON.stringify([incident.endpoints.length, incident.started_at, isFinal])
    const begun = counts.get(incident.id)
    const count = begun?.state === state ? begun.count : new ImpactCount(incident, providerName)
    counts.delete(incident.id)
    counts.set(incident.id, { count, state })
    for (const oldest of counts.keys()) {
      if (counts.size <= maxCounts) break
      counts.delete(oldest)
    }
    const until = endedAt ?? now
    let read = 0
    let isComplete = false
    while (read < budget && !isComplete) {
      const page = yield* generations.scan(count.from, {
        limit: Math.min(pageSize, budget - read),
        ...omitUndefined({ after: count.after })
      })
      for (const generation of page.rows) {
        if (generation.startedAt > until) {
          isComplete = true
          break
        }
        count.add(generation)
        const { id, startedAt } = generation
        count.after = { id, startedAt }
      }
      read += page.rows.length
      isComplete ||= page.next === undefined
    }
    const countedUntil = isComplete ? until : (count.after?.startedAt ?? count.from)
    const impact = count.toImpact(countedUntil, isComplete)
    if (isComplete && isFinal) yield* keep(incident, impact)
    return { impact, read }
  })

  const keep = (incident: Incident, impact: IncidentImpact) => {
    counts.delete(incident.id)
    return store.update(incident.provider, Date.parse(incident.seen_at), (recent) =>
      recent
        .filter(({ id, seen_at }) => id === incident.id && seen_at === incident.seen_at)
        .map((each) => ({ ...each, ended_at: each.ended_at ?? each.seen_at, impact }))
    )
  }

  return {
    list: (
      filter: Omit<IncidentFilter, "aliveSince">,
      cursor: CursorRequest
    ): Effect.Effect<CursorPage<ListedIncident>> =>
      oneAtATime(
        Effect.gen(function* () {
          const now = clock.currentTimeMillisUnsafe()
          const page = yield* store.list({ ...filter, aliveSince: now - staleMillis }, cursor)
          const { upstreams } = catalog.current()
          const rows: Array<ListedIncident> = []
          let budget = maxRecords
          for (const incident of page.rows) {
            const { impact, provider } = incident
            const providerName = upstreams.get(provider)?.name ?? provider
            const listed = { incident, providerName, endedAt: findEnd(incident, now) }
            if (impact !== null || budget <= 0) rows.push({ ...listed, impact })
            else {
              const counted = yield* countImpact(listed, budget)
              budget -= Math.max(1, counted.read)
              rows.push({ ...listed, impact: counted.impact })
            }
          }
          return { ...page, rows }
        })
      )
  }
})

/** Records that a call reads at most. */
const maxRecords = 10_000

const pageSize = 500

const maxCounts = 100

/** Longer requests are rare. */
const settleMillis = 600_000
