/** A table, which becomes a list of cards where it does not fit. */
import type { ComponentChildren } from "preact"

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** Figures are aligned at their end. */
  readonly isNumber?: boolean
}

export const Table = <Row,>({
  caption,
  columns,
  rows,
  toKey
}: {
  /** What the table has, for screen readers. */
  readonly caption: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly toKey: (row: Row) => string
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
          <tr key={toKey(row)}>
            {columns.map(({ cell, isNumber, title }) => (
              <td key={title} data-label={title} class={isNumber === true ? "number" : ""}>
                <div class="cell">{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
