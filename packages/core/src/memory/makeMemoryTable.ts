/** The rows of an in-memory store by id. Edits are atomic and can be undone. */
import type * as Effect from "effect/Effect"
import type { MemoryJournal } from "./MemoryJournal.ts"

export interface MemoryTable<Id, Row> {
  /** The current rows in insertion order. */
  readonly rows: ReadonlyMap<Id, Row>
  /** Changes with every edit, and when one is undone. */
  readonly version: () => number
  /**
   * The rows from the newest to the oldest with their cursors, which grow with every insertion; only those with a
   * cursor below `before`. Lazy: reads no more rows than are taken.
   */
  readonly newestFirst: (before?: number) => Iterable<CursorRow<Row>>
  /** Returns the result of `change`; when it throws, nothing changes. */
  readonly edit: <A>(change: (draft: Draft<Id, Row>) => A) => Effect.Effect<A>
}

interface CursorRow<A> {
  readonly cursor: number
  readonly row: A
}

/** The rows during an edit. */
export interface Draft<Id, Row> extends Pick<Map<Id, Row>, "entries" | "get" | "has" | "values"> {
  readonly set: (id: Id, row: Row) => void
  readonly delete: (id: Id) => boolean
}

export const makeMemoryTable = <Id, Row>({
  write
}: Pick<MemoryJournal["Service"], "write">): MemoryTable<Id, Row> => {
  const rows = new Map<Id, Row>()
  /** The insertion numbers of the rows; a restored row gets its old one back. */
  const positions = new Map<Id, number>()
  let next = 0
  let version = 0
  /** The ids by insertion number, including up to half of removed ones. */
  let order: Array<CursorRow<Id>> = []

  const isCurrent = ({ cursor, row }: CursorRow<Id>): boolean => positions.get(row) === cursor
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
    version: () => version,
    newestFirst: function* (before) {
      for (let at = countBefore(order, before) - 1; at >= 0; at--) {
        const entry = order[at]
        if (entry === undefined || !isCurrent(entry)) continue
        yield { cursor: entry.cursor, row: rows.get(entry.row) as Row }
      }
    },
    edit: (change) =>
      write(() => {
        const undos: Array<() => void> = []
        let isInOrder = true
        const undo = (): void => {
          version++
          for (const each of undos.toReversed()) each()
          if (!isInOrder) restoreOrder()
        }
        const recordUndo = (id: Id): boolean => {
          const before = rows.get(id)
          const position = positions.get(id)
          undos.push(() => {
            if (position === undefined) {
              removeRow(id)
              return
            }
            isInOrder &&= rows.has(id)
            rows.set(id, before as Row)
            positions.set(id, position)
          })
          return position !== undefined
        }
        version++
        try {
          const result = change({
            entries: () => rows.entries(),
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

/** Removes rows; returns how many. */
export const removeWhere = <Id, Row>(
  table: MemoryTable<Id, Row>,
  isRemoved: (row: Row) => boolean
): Effect.Effect<number> =>
  table.edit((draft) => {
    const removed = Array.from(draft.entries()).filter(([, row]) => isRemoved(row))
    for (const [id] of removed) draft.delete(id)
    return removed.length
  })

/** Tables by a common key, such as an account, so that a lookup reads no rows of others. */
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

/** How many entries of the ordered list have a cursor below `cursor`. */
const countBefore = (order: ReadonlyArray<CursorRow<unknown>>, cursor = Infinity): number => {
  let [from, to] = [0, order.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((order[middle]?.cursor ?? Infinity) < cursor) from = middle + 1
    else to = middle
  }
  return from
}
