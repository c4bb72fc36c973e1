/** Handlers of generations and credits. */
import * as Effect from "effect/Effect"
import { Ledger } from "../../ledger/Ledger.ts"
import { Generations } from "../../observability/Generations.ts"
import { GenerationId } from "../../values/ids/GenerationId.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import type { RecordsApi } from "../api/RecordsApi.ts"
import type { Handlers } from "../legacyHandlers.ts"
import { toGenerationResponse } from "../toGenerationResponse.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { requireManagementKey, canManageAccount } from "../requireManagementKey.ts"
import { parseParameters } from "../QueryParameters.ts"

export const recordsHandlers = Effect.gen(function* () {
  const generations = yield* Generations
  const ledger = yield* Ledger
  return {
    generation: Effect.fnUntraced(function* ({ caller, query }) {
      const id = yield* Effect.fromResult(parseParameters(query, (read) => read.text("id")))
      if (id === undefined)
        return yield* new InvalidRequest({ path: ["id"], problem: "is missing" })
      const { account, workspace } = caller
      const owner = canManageAccount(caller) ? { account } : { account, workspace }
      const data = toGenerationResponse(yield* generations.get(owner, GenerationId.make(id)))
      return jsonResponse({ data })
    }),
    credits: requireManagementKey(({ caller }) =>
      Effect.map(ledger.findCredits(caller.account), (credits) =>
        jsonResponse({
          data: {
            total_credits: NanoUsd.toUsdNumber(credits?.granted ?? NanoUsd.zero),
            total_usage: NanoUsd.toUsdNumber(credits?.settled ?? NanoUsd.zero)
          }
        })
      )
    )
  } satisfies Handlers<typeof RecordsApi>
})
