/** Handlers of the account operations. */
import * as Effect from "effect/Effect"
import { Accounts } from "../../tenants/accounts/Accounts.ts"
import type { AccountApi } from "./AccountApi.ts"
import type { Handlers } from "../operation/Handler.ts"

export const accountHandlers = Effect.gen(function* () {
  const accounts = yield* Accounts
  return {
    get: (_, { caller }) => Effect.map(accounts.getSettings(caller), (data) => ({ data })),
    update: ({ payload }, { caller }) =>
      Effect.map(accounts.update(caller, payload), (data) => ({ data }))
  } satisfies Handlers<typeof AccountApi>
})
