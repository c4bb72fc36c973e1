/** `signalbox keys create`: makes an API key, and prints it once. */
import { escapeControls } from "@signalbox/core/render"
import type { KeysCreateInput } from "@signalbox/client"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { callInstance } from "../instance/callInstance.ts"
import { instanceFlags, resolveInstance } from "../instance/instanceFlags.ts"
import { jsonFlag } from "../output/reportFlags.ts"
import { usageError } from "../usageError.ts"

export const createKey = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Its name in lists")),
    limit: Flag.Finite("limit").pipe(
      Flag.withDescription("USD that may be spent with it; default: no limit of its own"),
      Flag.optional
    ),
    limitReset: Flag.Literals("limit-reset", ["daily", "weekly", "monthly"]).pipe(
      Flag.withDescription("When the limit begins anew; default: never"),
      Flag.optional
    ),
    includeByok: Flag.Boolean("include-byok").pipe(
      Flag.withDescription("Count spending on the account's own provider credentials, too"),
      Flag.withDefault(false)
    ),
    expires: Flag.Date("expires").pipe(
      Flag.withDescription("When it expires, such as 2027-01-31T00:00:00Z; default: never"),
      Flag.optional
    ),
    workspace: Flag.String("workspace").pipe(
      Flag.withDescription("Id or slug of its workspace; default: the default workspace"),
      Flag.optional
    ),
    user: Flag.String("user").pipe(
      Flag.withDescription("The member that it acts for; default: the organization"),
      Flag.optional
    ),
    ...instanceFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* (flags) {
    if (Option.isSome(flags.limitReset) && Option.isNone(flags.limit)) {
      return yield* usageError("--limit-reset needs the --limit that it resets")
    }
    const instance = yield* resolveInstance(flags)
    const input: KeysCreateInput = {
      name: flags.name,
      ...ifGiven(flags.limit, (limit) => ({ limit })),
      ...ifGiven(flags.limitReset, (limit_reset) => ({ limit_reset })),
      ...(flags.includeByok ? { include_byok_in_limit: true } : undefined),
      ...ifGiven(flags.expires, (date) => ({ expires_at: date.toISOString() })),
      ...ifGiven(flags.workspace, (workspace_id) => ({ workspace_id })),
      ...ifGiven(flags.user, (creator_user_id) => ({ creator_user_id }))
    }
    const created = yield* callInstance(instance, (client, signal) =>
      client.keys.create(input, { signal })
    )
    yield* Console.log(flags.json ? JSON.stringify(created, null, 2) : created.key)
    yield* Console.error(
      `Created the key ${escapeControls(created.data.name)} (${created.data.hash}). Keep it now: it is not shown again.`
    )
  })
).pipe(
  Command.withDescription("Create an API key. The key is printed once, alone on its line."),
  Command.withExamples([
    {
      command: "signalbox keys create ci --limit 5 --limit-reset daily --expires 2027-01-31",
      description: "A key that may spend 5 USD a day until the end of January"
    }
  ])
)

const ifGiven = <A, B>(flag: Option.Option<A>, toFields: (value: A) => B): B | undefined =>
  Option.getOrUndefined(Option.map(flag, toFields))
