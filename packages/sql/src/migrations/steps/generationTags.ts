/**
 * Lets records be found by a tag of their caller, however many there are. `tags` has the tags under the account; it is absent
 * in records of earlier versions, whose documents are read. Postgres looks tags up in an index of their own. SQLite has none
 * of this kind, and reads the tags from the index that its lists are in the order of.
 */
import { byCodePoint, type Dialect } from "../../connection/dialect.ts"

export const generationTags = (dialect: Dialect): ReadonlyArray<string> =>
  dialect === "postgres"
    ? [
        `ALTER TABLE generations ADD COLUMN tags jsonb`,
        `CREATE INDEX generations_by_tag ON generations USING gin (tags jsonb_path_ops)`,
        `CREATE INDEX generations_by_unknown_tags ON generations
          (account, started_at, id ${byCodePoint[dialect]}) WHERE tags IS NULL`
      ]
    : [
        `ALTER TABLE generations ADD COLUMN tags text`,
        `DROP INDEX generations_by_account`,
        `CREATE INDEX generations_by_account ON generations
          (account, started_at, id ${byCodePoint[dialect]}, tags)`
      ]
