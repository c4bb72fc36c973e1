/** Makes the instance of a server, with failures that name the place in the configuration. */
import type { Options } from "@signalbox/core"
import { make, type Signalbox } from "@signalbox/core/adapter"
import { platform } from "@signalbox/node"
import type * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { toConfigError } from "../config/loadConfig.ts"
import { usageError } from "../usageError.ts"

/** `path` is the path of the configuration. `references` redirects log lines. */
export const makeInstance = <Source>(
  path: string,
  options: Options<Source>,
  references: Layer.Layer<never> = Layer.empty
): Effect.Effect<Signalbox<Source>, CliError.UserError> =>
  Effect.tryPromise({
    try: () =>
      make(
        options,
        Layer.suspend(() => Layer.merge(platform(options.settings), references))
      ),
    catch: (error) =>
      error instanceof RangeError
        ? toConfigError(path, error)
        : usageError(error instanceof Error ? error.message : String(error), error)
  })
