/** Operations that tell of the whole box: for management keys of the host's own account. */
import * as Effect from "effect/Effect"
import { NotPermitted } from "../auth/AuthErrors.ts"
import type { Handler } from "./legacyHandlers.ts"
import { isOperator } from "./isOperator.ts"
import { requireManagementKey } from "./requireManagementKey.ts"

export const requireOperator = (handler: Handler): Handler =>
  requireManagementKey((asked) =>
    isOperator(asked.caller) ? handler(asked) : Effect.fail(operatorRequired)
  )

/** Nobody but management keys comes this far without being the host. */
const operatorRequired = new NotPermitted({
  kind: "management",
  needs: "a management key of the host's own account"
})
