/** `signalbox erase-person`: revokes what a person can act with, and gives their records a random name. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { callInstance } from "../instance/callInstance.ts"
import { instanceFlags, resolveInstance } from "../instance/instanceFlags.ts"
import { parsePerson, personFlags } from "../instance/personFlags.ts"
import { jsonFlag } from "../output/reportFlags.ts"
import { usageError } from "../usageError.ts"

export const erasePerson = Command.make(
  "erase-person",
  {
    ...personFlags,
    yes: Flag.Boolean("yes").pipe(
      Flag.withDescription("Erase: without it, nothing is done"),
      Flag.withDefault(false)
    ),
    ...instanceFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* (flags) {
    const person = yield* parsePerson(flags)
    if (!flags.yes) {
      return yield* usageError(
        "this cannot be undone: export first with signalbox export-person, then add --yes"
      )
    }
    const instance = yield* resolveInstance(flags)
    const { data } = yield* callInstance(instance, (client, signal) =>
      client.people.erase(person, { signal })
    )
    if (flags.json) return yield* Console.log(JSON.stringify(data, null, 2))
    yield* Console.log(
      data.pseudonym === null
        ? "Nothing names this person."
        : `Erased: ${data.keys_revoked} keys revoked, ${data.memberships_removed} memberships removed, ${data.rows_changed} rows changed. Their records are those of ${data.pseudonym} now.`
    )
  })
).pipe(
  Command.withDescription("Erase a person: keys are revoked, and records get a random name."),
  Command.withExamples([
    {
      command: "signalbox erase-person --user ada --yes",
      description: "Erase the user whom the application calls ada"
    }
  ])
)
