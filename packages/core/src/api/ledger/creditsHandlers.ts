/** Handlers of the credit operations. */
import * as Effect from "effect/Effect"
import type { Handlers } from "../operation/Handler.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { Ledger } from "../../engine/ledger/Ledger.ts"
import type { CreditsApi } from "./CreditsApi.ts"

export const creditsHandlers = Effect.gen(function* () {
  const ledger = yield* Ledger
  return {
    get: (_, { caller }) =>
      Effect.map(ledger.findCredits(caller.account), (credits) => ({
        data: {
          total_credits: NanoUsd.toUsdNumber(credits?.granted ?? NanoUsd.zero),
          total_usage: NanoUsd.toUsdNumber(credits?.settled ?? NanoUsd.zero)
        }
      }))
  } satisfies Handlers<typeof CreditsApi>
})
