/** `signalbox serve`: a server of its own, for people without an application to mount Signalbox in. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { configFlag } from "../config/configFlag.ts"
import { databaseFlag } from "../storage/databaseFlag.ts"

export const serve = Command.make(
  "serve",
  {
    config: configFlag,
    port: Flag.Int("port").pipe(
      Flag.withAlias("p"),
      Flag.withDescription(
        "0 selects a free one; default: that of the configuration, else $PORT, else 3000"
      ),
      Flag.optional
    ),
    host: Flag.String("host").pipe(
      Flag.withDescription(
        "The address to listen on, such as 0.0.0.0 for every network; default: 127.0.0.1"
      ),
      Flag.optional
    ),
    mount: Flag.String("mount").pipe(
      Flag.withDescription("The path prefix, such as /ai; default: the root"),
      Flag.optional
    ),
    database: databaseFlag,
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Log lines of JSON, for other programs"),
      Flag.withDefault(false)
    )
  },
  (flags) =>
    Effect.flatMap(
      Effect.promise(() => import("../serve/runServer.ts")),
      ({ runServer }) => runServer(flags)
    )
).pipe(
  Command.withDescription(
    "Serve an instance on its own, from a configuration. Keeps what it stores in a SQLite file, or in Postgres."
  ),
  Command.withExamples([
    {
      command: "signalbox serve",
      description: "Serve signalbox.config.mts on http://127.0.0.1:3000"
    },
    {
      command: "DATABASE_URL=postgres://… signalbox serve --host 0.0.0.0 --port 8080 --json",
      description: "Serve every network, with Postgres and logs for other programs"
    }
  ])
)
