/** An instance of a configuration in this process, in memory, to ask as if it ran elsewhere. */
import { randomUUID } from "node:crypto"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { loadConfig, toConfigError } from "../config/loadConfig.ts"
import { pickInnerOptions, silent } from "../config/pickInnerOptions.ts"
import type { Instance } from "./instanceFlags.ts"

/** It closes with the scope. Guardrails, workspaces and measurements are not there, because they are stored. */
export const makeLocalInstance = Effect.fnUntraced(function* (config: Option.Option<string>) {
  const { options, path } = yield* loadConfig(config)
  const key = `sk-${randomUUID()}`
  const { keys = [], ...inner } = pickInnerOptions(options)
  const signalbox = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        Signalbox.make({
          ...inner,
          ...(options.overlay === undefined ? undefined : { overlay: options.overlay }),
          keys: [...keys, { key, kind: "management" }],
          telemetry: silent
        }),
      catch: (error) => toConfigError(path, error)
    }),
    (made) => Effect.promise(() => made.close())
  )
  return {
    url: "http://localhost",
    key: Redacted.make(key),
    fetch: (url, init) => signalbox.fetch(new Request(url, init))
  } satisfies Instance
})
