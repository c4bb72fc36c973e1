/** The rows of an in-memory store, by id: each edit happens whole, alone, and can be undone. */
import type * as Effect from "effect/Effect"
import type { MemoryJournal } from "./MemoryJournal.ts"

export interface MemoryTable<Id, Row> {
  /** As they are now, in the order in which they came. */
  readonly rows: ReadonlyMap<Id, Row>
  /**
   * The same, the latest to come first, each with its place: greater than those of the rows it found. Only those
   * of places smaller than `before`; no more is looked at than is taken.
   */
  readonly newestFirst: (before?: number) => Iterable<PositionedRow<Row>>
  /** What `change` returns is what the edit is worth; when it throws, nothing has happened. */
  readonly edit: <A>(change: (draft: Draft<Id, Row>) => A) => Effect.Effect<A>
}

interface PositionedRow<A> {
  readonly cursor: number
  readonly row: A
}

/** The rows while they are edited. */
export interface Draft<Id, Row> extends Pick<Map<Id, Row>, "get" | "has" | "values"> {
  readonly set: (id: Id, row: Row) => void
  readonly delete: (id: Id) => boolean
}

export const makeMemoryTable = <Id, Row>({
  write
}: Pick<MemoryJournal["Service"], "write">): MemoryTable<Id, Row> => {
  const rows = new Map<Id, Row>()
  /** When each row came: one that is put back stands where it stood. */
  const positions = new Map<Id, number>()
  let next = 0
  /** The same by place, and among them those that are gone, as long as they are not the most. */
  let order: Array<PositionedRow<Id>> = []

  const isCurrent = ({ cursor, row }: PositionedRow<Id>): boolean => positions.get(row) === cursor
  const append = (id: Id): void => {
    positions.set(id, next)
    order.push({ cursor: next++, row: id })
    if (order.length > 2 * positions.size) order = order.filter(isCurrent)
  }
  const removeRow = (id: Id): boolean => {
    positions.delete(id)
    return rows.delete(id)
  }
  const restoreOrder = (): void => {
    const inOrder = Array.from(rows).toSorted(
      ([one], [other]) => (positions.get(one) ?? 0) - (positions.get(other) ?? 0)
    )
    rows.clear()
    for (const [each, value] of inOrder) rows.set(each, value)
    order = inOrder.map(([each]) => ({ cursor: positions.get(each) ?? 0, row: each }))
  }

  return {
    rows,
    newestFirst: function* (before) {
      for (let at = countBefore(order, before) - 1; at >= 0; at--) {
        const placed = order[at]
        if (placed === undefined || !isCurrent(placed)) continue
        yield { cursor: placed.cursor, row: rows.get(placed.row) as Row }
      }
    },
    edit: (change) =>
      write(() => {
        const undos: Array<() => void> = []
        let isInOrder = true
        const undo = (): void => {
          for (const each of undos.toReversed()) each()
          if (!isInOrder) restoreOrder()
        }
        const recordUndo = (id: Id): boolean => {
          const before = rows.get(id)
          const place = positions.get(id)
          undos.push(() => {
            if (place === undefined) {
              removeRow(id)
              return
            }
            isInOrder &&= rows.has(id)
            rows.set(id, before as Row)
            positions.set(id, place)
          })
          return place !== undefined
        }
        try {
          const result = change({
            get: (id) => rows.get(id),
            has: (id) => rows.has(id),
            values: () => rows.values(),
            set: (id, row) => {
              if (!recordUndo(id)) append(id)
              rows.set(id, row)
            },
            delete: (id) => recordUndo(id) && removeRow(id)
          })
          return { result, undo }
        } catch (cause) {
          undo()
          throw cause
        }
      })
  }
}

/** Tables of rows that have something in common, such as an account: who looks for those looks at no others. */
export const makeMemoryTables = <Id, Row>(
  journal: Pick<MemoryJournal["Service"], "write">
): ((...common: ReadonlyArray<string>) => MemoryTable<Id, Row>) => {
  const tables = new Map<string, MemoryTable<Id, Row>>()
  return (...common) => {
    const name = JSON.stringify(common)
    const known = tables.get(name) ?? makeMemoryTable<Id, Row>(journal)
    tables.set(name, known)
    return known
  }
}

/** How many of them, which are in the order of their places, stand before `place`. */
const countBefore = (order: ReadonlyArray<PositionedRow<unknown>>, place = Infinity): number => {
  let [from, to] = [0, order.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((order[middle]?.cursor ?? Infinity) < place) from = middle + 1
    else to = middle
  }
  return from
}
