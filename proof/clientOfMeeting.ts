/** Looks into the database at which others meet. */
import type * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { clientOf } from "../packages/sql/src/postgres.ts"
import * as SqliteClient from "../packages/sql/src/SqliteClient.ts"
import type { MeetingDatabase } from "./MeetingDatabase.ts"

export const clientOfMeeting = (database: MeetingDatabase): Layer.Layer<SqlClient, Error> =>
  database.kind === "sqlite"
    ? SqliteClient.layer({ path: database.path })
    : clientOf({ ...database, maxConnections: 1 })
