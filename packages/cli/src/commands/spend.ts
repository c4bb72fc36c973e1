/** `signalbox spend`: what was spent over time, as CSV. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { callInstance } from "../instance/callInstance.ts"
import { instanceFlags, resolveInstance } from "../instance/instanceFlags.ts"

export const spend = Command.make(
  "spend",
  {
    by: Flag.String("by").pipe(
      Flag.withDescription(
        "One row for each value, such as model, user, tag:customer or workspace,model; default: total"
      ),
      Flag.optional
    ),
    from: Flag.String("from").pipe(
      Flag.withDescription("Beginning, such as 2026-11-01; default: yesterday"),
      Flag.optional
    ),
    to: Flag.String("to").pipe(
      Flag.withDescription("End, such as 2026-12-01, exclusive; default: now"),
      Flag.optional
    ),
    interval: Flag.Literals("interval", ["minute", "hour", "day"]).pipe(
      Flag.withDescription("Time of a row"),
      Flag.withDefault("day")
    ),
    ...instanceFlags
  },
  Effect.fnUntraced(function* ({ by, from, interval, to, ...flags }) {
    const instance = yield* resolveInstance(flags)
    const csv = yield* callInstance(instance, (client, signal) =>
      client.series.exportSpend(
        {
          interval,
          ...(Option.isSome(by) ? { group_by: by.value } : undefined),
          ...(Option.isSome(from) ? { from: from.value } : undefined),
          ...(Option.isSome(to) ? { to: to.value } : undefined)
        },
        { signal }
      )
    )
    // The console escapes control characters; the line breaks of a file are the terminal's own here.
    yield* Console.log(csv.trimEnd().replaceAll("\r\n", "\n"))
  })
).pipe(
  Command.withDescription("Print what was spent over time as CSV."),
  Command.withExamples([
    {
      command: "signalbox spend --by workspace,model --from 2026-11-01 --to 2026-12-01 > spend.csv",
      description: "The spending of each workspace by model and day in November"
    }
  ])
)
