/** An exit code that says something, such as that catalogs differ. Nothing more is printed. */
import * as CliError from "effect/cli/CliError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"

export class ExitStatus extends Data.TaggedError("ExitStatus")<{ readonly code: number }> {
  override readonly [Runtime.errorReported] = false
  override get [Runtime.errorExitCode](): number {
    return this.code
  }
}

/** A failure with another exit code than 1. */
export class FailureWithCode extends Data.TaggedError("FailureWithCode")<{
  readonly code: number
  readonly cause: CliError.UserError
}> {
  override get [Runtime.errorExitCode](): number {
    return this.code
  }
  override get [CliError.userMessage](): string {
    return this.cause.message
  }
}

/** Failures with a one-sentence message end the process with `code`. */
export const withExitCode =
  (code: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | FailureWithCode, R> =>
    Effect.mapError(effect, (error) =>
      error instanceof CliError.UserError ? new FailureWithCode({ code, cause: error }) : error
    )
