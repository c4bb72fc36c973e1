/** Everything in the database at which processes of a proof meet. */
import { postgres, sqlite } from "@signalbox/sql"
import type { MeetingDatabase } from "./MeetingDatabase.ts"

export const storesOfMeeting = (database: MeetingDatabase) =>
  database.kind === "sqlite"
    ? sqlite({ path: database.path })
    : postgres({ url: database.url, schema: database.schema })
