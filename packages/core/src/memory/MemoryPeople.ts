/** Renames persons in the stores in memory: each store registers how it renames one. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Layer from "effect/Layer"
import { PersonStore, type Renaming } from "../domains/people/PersonStore.ts"

/** Returns how many rows changed. */
type Rename = (renaming: Renaming) => Effect.Effect<number>

interface PeopleRegistry {
  readonly register: (rename: Rename) => void
  readonly renameAll: Rename
}

/** Without `layerMemoryPeople`, registering does nothing. */
export const MemoryPeople: Context.Reference<PeopleRegistry> = Context.Reference(
  "@signalbox/core/memory/MemoryPeople",
  {
    defaultValue: (): PeopleRegistry => ({
      register: constVoid,
      renameAll: () => Effect.succeed(0)
    })
  }
)

export const layerMemoryPeople: Layer.Layer<never> = Layer.sync(MemoryPeople, () => {
  const all: Array<Rename> = []
  return {
    register: (rename) => void all.push(rename),
    renameAll: (renaming) =>
      Effect.map(
        Effect.forEach(all, (rename) => rename(renaming)),
        (counts) => counts.reduce((sum, count) => sum + count, 0)
      )
  }
})

/** PersonStore over the stores in the memory of this process. */
export const memoryPersonStore: Layer.Layer<PersonStore> = Layer.effect(
  PersonStore,
  Effect.map(MemoryPeople, ({ renameAll }) => ({ rename: renameAll }))
)

/** Replaces the values of a map, or of the draft of a table, that `rename` changes; returns how many. */
export const renameValues = <Id, Row>(
  rows: Pick<Map<Id, Row>, "entries"> & { readonly set: (id: Id, row: Row) => unknown },
  rename: (row: Row) => Row
): number => {
  let changed = 0
  for (const [id, row] of Array.from(rows.entries())) {
    const renamed = rename(row)
    if (renamed === row) continue
    rows.set(id, renamed)
    changed++
  }
  return changed
}

/** Replaces the keys of a map that `rename` changes; returns how many. */
export const renameKeys = <Row>(
  rows: Map<string, Row>,
  rename: (key: string) => string
): number => {
  let changed = 0
  for (const [key, row] of Array.from(rows)) {
    const renamed = rename(key)
    if (renamed === key) continue
    rows.delete(key)
    rows.set(renamed, row)
    changed++
  }
  return changed
}
