/** SavedViewStore in the memory of this process. */
import * as Layer from "effect/Layer"
import type { SavedView } from "../domains/views/SavedView.ts"
import { SavedViewStore } from "../domains/views/SavedViewStore.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { makeOwnedStore, type OwnedRow } from "./ownedRows.ts"

export const memorySavedViewStore: Layer.Layer<SavedViewStore, never, MemoryJournal> = Layer.effect(
  SavedViewStore,
  MemoryJournal.useSync((journal) =>
    makeOwnedStore(makeMemoryTable<string, OwnedRow<SavedView>>(journal))
  )
)
