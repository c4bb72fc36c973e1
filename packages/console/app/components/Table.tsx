/** A table, which becomes a list of cards where it does not fit. */
import type { ComponentChildren } from "preact"
import { unknown } from "../format/format.ts"

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** Figures are aligned at their end. */
  readonly isNumber?: boolean
}

export const Table = <Row,>({
  caption,
  columns,
  isCurrent,
  onOpen,
  rows,
  toKey
}: {
  /** What the table has, for screen readers. */
  readonly caption: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly toKey: (row: Row) => string
  /** Whether a row is shown beside the table. */
  readonly isCurrent?: (row: Row) => boolean
  /** Called when a row is clicked outside of its links and buttons; one of its links does the same for the keyboard. */
  readonly onOpen?: (row: Row) => void
}) => (
  <div class="table" role="region" aria-label={caption} tabIndex={0}>
    <table>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ isNumber, title }) => (
            <th key={title} scope="col" class={isNumber === true ? "number" : ""}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={toKey(row)}
            class={onOpen === undefined ? "" : "opens"}
            aria-current={isCurrent?.(row) === true ? "true" : undefined}
            onClick={({ target }) => {
              const isOnControl =
                target instanceof Element && target.closest("a, button, input") !== null
              // A text that is being selected stays on the screen.
              if (!isOnControl && String(getSelection()) === "") onOpen?.(row)
            }}
          >
            {columns.map((column) => (
              <Cell key={column.title} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Cell = <Row,>({
  column: { cell, isNumber, title },
  row
}: {
  readonly column: Column<Row>
  readonly row: Row
}) => {
  const content = cell(row)
  const classes = [isNumber === true ? "number" : "", content === unknown ? "unknown" : ""]
  return (
    <td data-label={title} class={classes.join(" ").trim()}>
      <div class="cell">{content}</div>
    </td>
  )
}
