/** `signalbox keys disable`: stops a key from working, and keeps what is recorded of it. */
import { escapeControls } from "@signalbox/core/render"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { callInstance } from "../instance/callInstance.ts"
import { instanceFlags, resolveInstance } from "../instance/instanceFlags.ts"
import { downloadKeys } from "../keys/downloadKeys.ts"
import { findKey } from "../keys/findKey.ts"
import { printReport } from "../output/printReport.ts"
import { jsonFlag } from "../output/reportFlags.ts"
import { usageError } from "../usageError.ts"

export const disableKey = Command.make(
  "disable",
  {
    named: Argument.String("key").pipe(
      Argument.withDescription("Its hash, the first 4 or more digits of the hash, or its name")
    ),
    ...instanceFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* (flags) {
    const instance = yield* resolveInstance(flags)
    const keys = yield* downloadKeys(instance)
    const found = yield* Effect.mapError(Effect.fromResult(findKey(keys, flags.named)), (problem) =>
      usageError(problem)
    )
    const { data } = found.disabled
      ? { data: found }
      : yield* callInstance(instance, (client, signal) =>
          client.keys.update({ hash: found.hash, disabled: true }, { signal })
        )
    yield* printReport(
      {
        text: () =>
          found.disabled
            ? `The key ${escapeControls(data.name)} (${data.hash}) was disabled already.`
            : `Disabled the key ${escapeControls(data.name)} (${data.hash}). Requests with it fail from now on.`,
        json: () => ({ key: data })
      },
      flags
    )
  })
).pipe(Command.withDescription("Disable an API key. What is recorded of it stays."))
