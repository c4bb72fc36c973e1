/** The rows of an in-memory store, by id: each edit happens whole, alone, and can be undone. */
import type * as Effect from "effect/Effect"
import type { MemoryJournal } from "./MemoryJournal.ts"

export interface MemoryTable<Id, Row> {
  /** As they are now, in the order in which they came. */
  readonly rows: ReadonlyMap<Id, Row>
  /** The same, the latest to come first, each with its place: greater than those of the rows it found. */
  readonly newest: () => ReadonlyArray<{ readonly place: number; readonly row: Row }>
  /** What `change` returns is what the edit is worth; when it throws, nothing has happened. */
  readonly edit: <A>(change: (draft: Draft<Id, Row>) => A) => Effect.Effect<A>
}

/** The rows while they are edited. */
export interface Draft<Id, Row> extends Pick<Map<Id, Row>, "get" | "has" | "values"> {
  readonly set: (id: Id, row: Row) => void
  readonly delete: (id: Id) => boolean
}

export const memoryTable = <Id, Row>({
  write
}: Pick<MemoryJournal["Service"], "write">): MemoryTable<Id, Row> => {
  const rows = new Map<Id, Row>()
  /** When each row came: one that is put back stands where it stood. */
  const places = new Map<Id, number>()
  let next = 0

  const forget = (id: Id): boolean => {
    places.delete(id)
    return rows.delete(id)
  }
  const putInOrder = (): void => {
    const inOrder = Array.from(rows).toSorted(
      ([one], [other]) => (places.get(one) ?? 0) - (places.get(other) ?? 0)
    )
    rows.clear()
    for (const [each, value] of inOrder) rows.set(each, value)
  }

  return {
    rows,
    newest: () =>
      Array.from(rows, ([id, row]) => ({ place: places.get(id) ?? 0, row })).toReversed(),
    edit: (change) =>
      write(() => {
        const undos: Array<() => void> = []
        let isInOrder = true
        const undo = (): void => {
          for (const each of undos.toReversed()) each()
          if (!isInOrder) putInOrder()
        }
        const remember = (id: Id): boolean => {
          const before = rows.get(id)
          const place = places.get(id)
          undos.push(() => {
            if (place === undefined) {
              forget(id)
              return
            }
            isInOrder &&= rows.has(id)
            rows.set(id, before as Row)
            places.set(id, place)
          })
          return place !== undefined
        }
        try {
          const result = change({
            get: (id) => rows.get(id),
            has: (id) => rows.has(id),
            values: () => rows.values(),
            set: (id, row) => {
              if (!remember(id)) places.set(id, next++)
              rows.set(id, row)
            },
            delete: (id) => remember(id) && forget(id)
          })
          return { result, undo }
        } catch (cause) {
          undo()
          throw cause
        }
      })
  }
}
