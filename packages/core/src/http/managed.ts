/** Operations that need a management key; the application itself may always. */
import * as Effect from "effect/Effect"
import { NotPermitted } from "../auth/AuthErrors.ts"
import type { Caller } from "../auth/Caller.ts"
import type { Handler } from "./Asked.ts"

export const manages = (kind: Caller["kind"]): kind is "management" | "host" =>
  kind === "management" || kind === "host"

export const managed =
  (handler: Handler): Handler =>
  (asked) => {
    const { kind } = asked.caller
    return manages(kind)
      ? handler(asked)
      : Effect.fail(new NotPermitted({ kind, needs: "a management key" }))
  }
