/** SQLite on the clock of a simulated world, so that what its queue delays and leases passes with the time of the world. */
import { DatabaseSync } from "node:sqlite"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"

/** `CURRENT_TIMESTAMP` calls a function of its name, which connections may replace. */
export const layerWorldClock = Layer.effectDiscard(
  Effect.scoped(
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const sql = yield* SqlClient.SqlClient
      const connection = yield* Effect.orDie(sql.reserve)
      if (!("db" in connection && connection.db instanceof DatabaseSync)) {
        return yield* Effect.die(new Error("this is not a connection of SQLite"))
      }
      connection.db.function("current_timestamp", () => toText(clock.currentTimeMillisUnsafe()))
    })
  )
)

/** As SQLite writes it: UTC, in whole seconds. */
const toText = (millis: number): string =>
  new Date(millis).toISOString().slice(0, 19).replace("T", " ")
