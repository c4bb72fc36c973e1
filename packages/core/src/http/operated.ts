/** Operations that tell of the whole box: for management keys of the host's own account. */
import * as Effect from "effect/Effect"
import { NotPermitted } from "../auth/AuthErrors.ts"
import { defaultAccountId } from "../values/AccountId.ts"
import type { Handler } from "./Asked.ts"
import { managed } from "./managed.ts"

/** What all accounts do together is the business of none of them. The application itself may always. */
export const operated = (handler: Handler): Handler =>
  managed((asked) => {
    const { account, kind } = asked.caller
    return account === defaultAccountId || kind === "host"
      ? handler(asked)
      : Effect.fail(new NotPermitted({ kind, needs: "a management key of the host's own account" }))
  })
