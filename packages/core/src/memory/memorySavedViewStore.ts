/** SavedViewStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { renameSavedView } from "../domains/people/renameRecords.ts"
import type { SavedView } from "../domains/views/SavedView.ts"
import { SavedViewStore } from "../domains/views/SavedViewStore.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { MemoryPeople, renameValues } from "./MemoryPeople.ts"
import { makeOwnedStore, type OwnedRow } from "./ownedRows.ts"

export const memorySavedViewStore: Layer.Layer<SavedViewStore, never, MemoryJournal> = Layer.effect(
  SavedViewStore,
  Effect.gen(function* () {
    const people = yield* MemoryPeople
    const table = makeMemoryTable<string, OwnedRow<SavedView>>(yield* MemoryJournal)
    people.register((renaming) =>
      table.edit((draft) =>
        renameValues(draft, (row) => {
          if (row.account !== renaming.account) return row
          const value = renameSavedView(row.value, renaming)
          return value === row.value ? row : { ...row, value }
        })
      )
    )
    return makeOwnedStore(table)
  })
)
