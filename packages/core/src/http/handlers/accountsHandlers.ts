/** Handlers of what an account restricts. */
import * as Effect from "effect/Effect"
import { Accounts } from "../../accounts/Accounts.ts"
import { AccountPatch } from "../../accounts/AccountSettings.ts"
import type { AccountsApi } from "../api/AccountsApi.ts"
import type { Handlers } from "../legacyHandlers.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { requireManagementKey } from "../requireManagementKey.ts"
import { readJson } from "../readJson.ts"

export const accountsHandlers = Effect.gen(function* () {
  const accounts = yield* Accounts
  return {
    get: requireManagementKey(({ caller }) =>
      Effect.map(accounts.getSettings(caller), (data) => jsonResponse({ data }))
    ),
    update: requireManagementKey(({ caller, request }) =>
      Effect.flatMap(readPatch(request), (patch) =>
        Effect.map(accounts.update(caller, patch), (data) => jsonResponse({ data }))
      )
    )
  } satisfies Handlers<typeof AccountsApi>
})

const readPatch = readJson(AccountPatch)
