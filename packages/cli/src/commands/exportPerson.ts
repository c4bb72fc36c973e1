/** `signalbox export-person`: prints what is kept of a person as one JSON document. */
import type { PeopleExportOutput } from "@signalbox/client"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { callInstance } from "../instance/callInstance.ts"
import { instanceFlags, resolveInstance } from "../instance/instanceFlags.ts"
import { parsePerson, personFlags } from "../instance/personFlags.ts"

export const exportPerson = Command.make(
  "export-person",
  { ...personFlags, ...instanceFlags },
  Effect.fnUntraced(function* (flags) {
    const person = yield* parsePerson(flags)
    const instance = yield* resolveInstance(flags)
    const download = (cursor: string | null) =>
      Effect.map(
        callInstance(instance, (client, signal) =>
          client.people.export(
            { ...person, ...(cursor === null ? undefined : { starting_after: cursor }) },
            { signal }
          )
        ),
        ({ data }) => data
      )
    const first = yield* download(null)
    const { next_cursor: _, records: __, ...known } = first
    // Printed page by page, because there may be many records.
    yield* Console.log(`${JSON.stringify(known, null, 2).slice(0, -2)},\n  "records": [`)
    let page: PeopleExportOutput["data"] = first
    while (true) {
      const { next_cursor: cursor, records } = page
      if (records.length > 0) {
        const lines = records.map((record) => `    ${JSON.stringify(record)}`)
        yield* Console.log(`${lines.join(",\n")}${cursor === null ? "" : ","}`)
      }
      if (cursor === null) break
      page = yield* download(cursor)
    }
    yield* Console.log("  ]\n}")
  })
).pipe(
  Command.withDescription("Export what is kept of a person, as one JSON document."),
  Command.withExamples([
    {
      command: "signalbox export-person --user ada > ada.json",
      description: "Everything about the user whom the application calls ada"
    }
  ])
)
