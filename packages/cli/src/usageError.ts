/** A failure with a one-sentence message that says what to do next. The exit code is 1. */
import * as CliError from "effect/cli/CliError"

export const usageError = (message: string, cause: unknown = message): CliError.UserError =>
  new CliError.UserError({ cause, userMessage: message })
