/** Operations that need a management key; the application itself may always. */
import * as Effect from "effect/Effect"
import { NotPermitted } from "../auth/AuthErrors.ts"
import type { Caller } from "../auth/Caller.ts"
import type { Handler } from "./legacyHandlers.ts"

export const canManageAccount = ({
  canManage,
  kind
}: Pick<Caller, "canManage" | "kind">): boolean =>
  kind === "management" || kind === "host" || canManage === true

export const requireManagementKey =
  (handler: Handler): Handler =>
  (asked) => {
    const { kind } = asked.caller
    return canManageAccount(asked.caller)
      ? handler(asked)
      : Effect.fail(new NotPermitted({ kind, needs: "a management key" }))
  }
