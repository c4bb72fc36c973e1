/** Operations on what the workspace of the key has: a management key is of an account, and of no workspace. */
import * as Effect from "effect/Effect"
import { NotPermitted } from "../auth/AuthErrors.ts"
import type { Handler } from "./legacyHandlers.ts"

export const requireWorkspaceKey =
  (handler: Handler): Handler =>
  (asked) => {
    const { kind } = asked.caller
    return kind === "management"
      ? Effect.fail(new NotPermitted({ kind, needs: "a key of a workspace" }))
      : handler(asked)
  }
