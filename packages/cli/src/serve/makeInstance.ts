/** Makes the instance of a server, with failures that name the place in the configuration. */
import type { Options } from "@signalbox/core"
import { IsTerminal, make, type Signalbox } from "@signalbox/core/adapter"
import { platform } from "@signalbox/node"
import type * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { toConfigError } from "../config/loadConfig.ts"
import { usageError } from "../usageError.ts"

/** `path` is that of the configuration. With `asJson`, log lines are JSON on a terminal, too. */
export const makeInstance = (
  path: string,
  options: Options,
  asJson: boolean
): Effect.Effect<Signalbox, CliError.UserError> =>
  Effect.tryPromise({
    try: () =>
      make(
        options,
        Layer.suspend(() => {
          const services = platform(options.settings)
          return asJson ? Layer.merge(services, Layer.succeed(IsTerminal, false)) : services
        })
      ),
    catch: (error) =>
      error instanceof RangeError
        ? toConfigError(path, error)
        : usageError(error instanceof Error ? error.message : String(error), error)
  })
