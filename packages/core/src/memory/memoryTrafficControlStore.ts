/** TrafficControlStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { TrafficControl } from "../engine/health/control/TrafficControl.ts"
import { TrafficControlStore } from "../engine/health/control/TrafficControlStore.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"
import { MemoryJournal } from "./MemoryJournal.ts"

export const memoryTrafficControlStore: Layer.Layer<TrafficControlStore, never, MemoryJournal> =
  Layer.effect(
    TrafficControlStore,
    MemoryJournal.useSync((journal) => {
      const table = makeMemoryTable<string, TrafficControl>(journal)
      return {
        list: Effect.sync(() => Array.from(table.rows.values())),
        update: ({ id, kind }, change) =>
          Effect.flatMap(
            table.edit((draft) => {
              const key = `${kind} ${id}`
              const changed = change(draft.get(key))
              if (Result.isSuccess(changed)) draft.set(key, changed.success)
              return changed
            }),
            Effect.fromResult
          )
      }
    })
  )
