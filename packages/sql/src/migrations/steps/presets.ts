/** Creates the tables of presets and of their versions. */
import { type Dialect, sequence } from "../../connection/dialect.ts"
import { createOwnedTable } from "../createOwnedTable.ts"

export const presets = (dialect: Dialect): ReadonlyArray<string> => [
  ...createOwnedTable(dialect, "presets"),
  `CREATE TABLE preset_versions (
    seq ${sequence[dialect]},
    account text NOT NULL,
    preset text NOT NULL,
    version bigint NOT NULL,
    document text NOT NULL,
    UNIQUE (account, preset, version)
  )`,
  ...(dialect === "sqlite"
    ? []
    : [
        `CREATE TRIGGER notify_change AFTER INSERT OR UPDATE OR DELETE ON presets
          FOR EACH ROW EXECUTE FUNCTION notify_change('presets', 'account')`
      ])
]
