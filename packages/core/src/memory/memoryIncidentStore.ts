/** IncidentStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import type { Incident } from "../domains/incidents/Incident.ts"
import { type IncidentFilter, IncidentStore } from "../domains/incidents/IncidentStore.ts"
import { toCursorPage } from "../values/pages/CursorPage.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"
import { MemoryJournal } from "./MemoryJournal.ts"

/** Evicts the oldest incident when there are more than 1,000. */
export const memoryIncidentStore: Layer.Layer<IncidentStore, never, MemoryJournal> = Layer.effect(
  IncidentStore,
  MemoryJournal.useSync((journal) => {
    const table = makeMemoryTable<string, Incident>(journal)
    return {
      update: (provider, since, change) =>
        table.edit((draft) => {
          const recent = Array.from(draft.values()).filter(
            (each) =>
              each.provider === provider &&
              (each.ended_at === null || Date.parse(each.seen_at) >= since)
          )
          for (const incident of change(recent)) draft.set(incident.id, incident)
          const [oldest] = table.rows.keys()
          if (table.rows.size > maxIncidents && oldest !== undefined) draft.delete(oldest)
        }),
      list: (filter, cursor) =>
        Effect.sync(() =>
          toCursorPage(
            Iterable.filter(table.newestFirst(cursor.after), ({ row }) => matches(row, filter)),
            cursor
          )
        ),
      purge: (seenBefore) =>
        table.edit((draft) => {
          for (const { id, seen_at } of Array.from(table.rows.values())) {
            if (Date.parse(seen_at) < seenBefore) draft.delete(id)
          }
        })
    }
  })
)

const maxIncidents = 1_000

const matches = (
  { ended_at, endpoints, provider, seen_at, started_at }: Incident,
  filter: IncidentFilter
): boolean => {
  const seenAt = Date.parse(seen_at)
  const isOpen = ended_at === null && seenAt >= filter.aliveSince
  return (
    (filter.provider === undefined || provider === filter.provider) &&
    (filter.endpoint === undefined ||
      endpoints.some(({ endpoint_id }) => endpoint_id === filter.endpoint)) &&
    (filter.from === undefined || seenAt >= filter.from) &&
    (filter.to === undefined || Date.parse(started_at) < filter.to) &&
    (filter.isOpen === undefined || filter.isOpen === isOpen)
  )
}
