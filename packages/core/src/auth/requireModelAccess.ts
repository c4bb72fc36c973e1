/** Management keys run no models. */
import * as Effect from "effect/Effect"
import { NotPermitted } from "./AuthErrors.ts"
import type { Caller } from "./Caller.ts"

export const requireModelAccess = ({ kind }: Caller): Effect.Effect<void, NotPermitted> =>
  kind === "management"
    ? Effect.fail(new NotPermitted({ kind, needs: "a member or organization key" }))
    : Effect.void
