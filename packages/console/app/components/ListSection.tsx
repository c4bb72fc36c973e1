/** A list that is read page by page, under a heading with its controls. */
import type { ComponentChildren } from "preact"
import type { Query } from "../api/request.ts"
import { usePages } from "../api/usePages.ts"
import { Loading } from "./Loading.tsx"
import { LoadMore } from "./LoadMore.tsx"
import { Section } from "./Section.tsx"
import { type Column, Table } from "./Table.tsx"

/** `<ListSection<Row> path="api/v1/guardrails" …>`, where `Row` is the row type of the operation at that path. */
export const ListSection = <Row,>({
  aside,
  children,
  columns,
  empty,
  path,
  query = {},
  title,
  toKey
}: {
  readonly title: string
  readonly path: string
  readonly query?: Query
  /** Controls beside the heading; they read the list again when they are done. */
  readonly aside?: (reload: () => void) => ComponentChildren
  /** Above the list. */
  readonly children?: ComponentChildren
  readonly columns: (reload: () => void) => ReadonlyArray<Column<Row>>
  readonly empty: ComponentChildren
  readonly toKey: (row: Row) => string
}) => {
  const pages = usePages<Row>(path, query)
  return (
    <Section title={title} aside={aside?.(pages.reload)}>
      {children}
      <Loading loaded={pages} isEmpty={(rows) => rows.length === 0} empty={empty}>
        {(rows) => (
          <>
            <Table caption={title} columns={columns(pages.reload)} rows={rows} toKey={toKey} />
            <LoadMore pages={pages} />
          </>
        )}
      </Loading>
    </Section>
  )
}
