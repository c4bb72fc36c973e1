/** The tags of records in a column of their own: one JSON object with the account, and in it a list of tags. */
import type { Generation, GenerationFilter } from "@signalbox/core/stores"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { findText } from "../connection/dialect.ts"
import { toKeyText } from "../rows/toKeyText.ts"

type Tag = NonNullable<GenerationFilter["tag"]>

/** The account is in it because an index of Postgres has the tags of all accounts. */
export const toTagsColumn = (account: string, tags: Generation["tags"] = {}): string =>
  toJson(
    account,
    Object.entries(tags).map(([key, value]) => toText({ key, value }))
  )

/** Records of this tag, and some whose document looks like it, so the rows are checked. */
export const matchTag = (sql: SqlClient.SqlClient, account: string, tag: Tag): Fragment =>
  sql.or([
    sql.onDialectOrElse({
      pg: () => sql`tags @> CAST(${toJson(account, [toText(tag)])} AS jsonb)`,
      orElse: () => findText(sql, "tags", JSON.stringify(toText(tag)))
    }),
    sql`tags IS NULL AND ${findText(sql, "document", toDocumentText(tag))}`
  ])

const toJson = (account: string, tags: ReadonlyArray<string>): string =>
  tags.length === 0 ? "{}" : JSON.stringify(Object.fromEntries([[toKeyText(account), tags]]))

/** Keys have no colon. */
const toText = ({ key, value }: Tag): string => toKeyText(`${key}:${value}`)

/** How a tag is in the JSON of a record; other objects with such a member can only be in a trace. */
const toDocumentText = ({ key, value }: Tag): string =>
  `${JSON.stringify(key)}:${JSON.stringify(value)}`
