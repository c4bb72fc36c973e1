/** Handlers of what an account restricts. */
import * as Effect from "effect/Effect"
import { Accounts } from "../../accounts/Accounts.ts"
import { AccountPatch } from "../../accounts/AccountSettings.ts"
import type { AccountsApi } from "../api/AccountsApi.ts"
import type { Handlers } from "../Asked.ts"
import { jsonAnswer } from "../jsonAnswer.ts"
import { managed } from "../managed.ts"
import { readJson } from "../readJson.ts"

export const accountsHandlers = Effect.gen(function* () {
  const accounts = yield* Accounts
  return {
    get: managed(({ caller }) =>
      Effect.map(accounts.settings(caller), (data) => jsonAnswer({ data }))
    ),
    update: managed(({ caller, request }) =>
      Effect.flatMap(readPatch(request), (patch) =>
        Effect.map(accounts.update(caller, patch), (data) => jsonAnswer({ data }))
      )
    )
  } satisfies Handlers<typeof AccountsApi>
})

const readPatch = readJson(AccountPatch)
