/** Handlers of what an account restricts. */
import * as Effect from "effect/Effect"
import { Accounts } from "../Accounts.ts"
import type { AccountsApi } from "./AccountsApi.ts"
import type { OperationHandlers } from "../../http/operation/OperationInput.ts"

export const accountsHandlers = Effect.gen(function* () {
  const accounts = yield* Accounts
  return {
    get: (_, { caller }) => Effect.map(accounts.getSettings(caller), (data) => ({ data })),
    update: ({ payload }, { caller }) =>
      Effect.map(accounts.update(caller, payload), (data) => ({ data }))
  } satisfies OperationHandlers<typeof AccountsApi>
})
