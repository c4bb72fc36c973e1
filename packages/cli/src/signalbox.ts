/** The command `signalbox` with its subcommands, one file for each. */
import * as Command from "effect/cli/Command"
import { calibration } from "./commands/calibration.ts"
import { check } from "./commands/check.ts"
import { doctor } from "./commands/doctor.ts"
import { erasePerson } from "./commands/erasePerson.ts"
import { explain } from "./commands/explain.ts"
import { exportPerson } from "./commands/exportPerson.ts"
import { init } from "./commands/init.ts"
import { keys } from "./commands/keys.ts"
import { models } from "./commands/models.ts"
import { serve } from "./commands/serve.ts"
import { simulate } from "./commands/simulate.ts"
import { spend } from "./commands/spend.ts"

export const signalbox = Command.make("signalbox").pipe(
  Command.withDescription("Work with Signalbox from the command line."),
  Command.withSubcommands([
    init,
    serve,
    check,
    doctor,
    simulate,
    calibration,
    keys,
    models,
    explain,
    spend,
    exportPerson,
    erasePerson
  ])
)
