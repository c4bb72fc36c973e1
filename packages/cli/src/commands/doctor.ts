/** `signalbox doctor`: checks what an instance needs, and says what to do about failures. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { configFlag } from "../config/configFlag.ts"
import { jsonFlag } from "../output/reportFlags.ts"
import { databaseFlag } from "../storage/databaseFlag.ts"

export const doctor = Command.make(
  "doctor",
  { config: configFlag, database: databaseFlag, json: jsonFlag },
  (flags) =>
    Effect.flatMap(
      Effect.promise(() => import("../doctor/runDoctor.ts")),
      ({ runDoctor }) => runDoctor(flags)
    )
).pipe(
  Command.withDescription(
    "Check the versions, the storage, the clock and every provider of a configuration. Changes nothing, runs no model."
  )
)
