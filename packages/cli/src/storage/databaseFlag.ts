/** The flag that names the storage. */
import * as Flag from "effect/cli/Flag"

export const databaseFlag = Flag.String("database").pipe(
  Flag.withDescription(
    "A SQLite file, or postgres://…; default: that of the configuration, else $DATABASE_URL, else signalbox.db"
  ),
  Flag.withMetavar("FILE|URL"),
  Flag.optional
)
