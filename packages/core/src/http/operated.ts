/** Operations that tell of the whole box: for management keys of the host's own account. */
import * as Effect from "effect/Effect"
import { NotPermitted } from "../auth/AuthErrors.ts"
import type { Handler } from "./Asked.ts"
import { isOperator } from "./isOperator.ts"
import { managed } from "./managed.ts"

export const operated = (handler: Handler): Handler =>
  managed((asked) => (isOperator(asked.caller) ? handler(asked) : Effect.fail(notYours)))

/** Nobody but management keys comes this far without being the host. */
const notYours = new NotPermitted({
  kind: "management",
  needs: "a management key of the host's own account"
})
