/** Sets the exit code of an Effect host: a stop by a signal is not a failure. */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import type * as Runtime from "effect/Runtime"

export const teardown: Runtime.Teardown = (exit, end) =>
  end(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
