/** `signalbox keys list`: the API keys of the account, with what they spent. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { instanceFlags, resolveInstance } from "../instance/instanceFlags.ts"
import { downloadKeys } from "../keys/downloadKeys.ts"
import { renderKeys, toKeyState } from "../keys/renderKeys.ts"
import { printReport } from "../output/printReport.ts"
import { jsonFlag } from "../output/reportFlags.ts"

export const listKeys = Command.make(
  "list",
  {
    active: Flag.Boolean("active").pipe(
      Flag.withDescription("Only keys that are neither disabled nor expired"),
      Flag.withDefault(false)
    ),
    workspace: Flag.String("workspace").pipe(
      Flag.withDescription("Only keys of this workspace, by its id or slug"),
      Flag.optional
    ),
    ...instanceFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* (flags) {
    const instance = yield* resolveInstance(flags)
    const all = yield* downloadKeys(instance, Option.getOrUndefined(flags.workspace))
    const now = yield* Clock.currentTimeMillis
    const keys = flags.active ? all.filter((key) => toKeyState(key, now) === "active") : all
    yield* printReport({ text: () => renderKeys(keys, now), json: () => ({ keys }) }, flags)
  })
).pipe(Command.withDescription("List the API keys of the account, without their secrets."))
