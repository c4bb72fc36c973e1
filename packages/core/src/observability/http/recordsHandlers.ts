/** Handlers of generations and credits. */
import * as Effect from "effect/Effect"
import { Ledger } from "../../ledger/Ledger.ts"
import { Generations } from "../Generations.ts"
import { GenerationId } from "../../values/ids/GenerationId.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { RecordsApi } from "./RecordsApi.ts"
import { canManageAccount } from "../../http/operation/checkCaller.ts"
import type { OperationHandlers } from "../../http/operation/OperationInput.ts"
import { toGenerationResponse } from "./toGenerationResponse.ts"

export const recordsHandlers = Effect.gen(function* () {
  const generations = yield* Generations
  const ledger = yield* Ledger
  return {
    generation: ({ query }, { caller }) => {
      const { account, workspace } = caller
      const owner = canManageAccount(caller) ? { account } : { account, workspace }
      return Effect.map(generations.get(owner, GenerationId.make(query.id)), (generation) => ({
        data: toGenerationResponse(generation)
      }))
    },
    credits: (_, { caller }) =>
      Effect.map(ledger.findCredits(caller.account), (credits) => ({
        data: {
          total_credits: NanoUsd.toUsdNumber(credits?.granted ?? NanoUsd.zero),
          total_usage: NanoUsd.toUsdNumber(credits?.settled ?? NanoUsd.zero)
        }
      }))
  } satisfies OperationHandlers<typeof RecordsApi>
})
