/** Handlers of generations and credits. */
import * as Effect from "effect/Effect"
import { Ledger } from "../../ledger/Ledger.ts"
import { Generations } from "../../observability/Generations.ts"
import { GenerationId } from "../../values/GenerationId.ts"
import * as NanoUsd from "../../values/NanoUsd.ts"
import { InvalidRequest } from "../../values/RequestErrors.ts"
import type { RecordsApi } from "../api/RecordsApi.ts"
import type { Handlers } from "../Asked.ts"
import { generationJson } from "../generationJson.ts"
import { jsonAnswer } from "../jsonAnswer.ts"
import { managed, manages } from "../managed.ts"
import { readParameters } from "../Parameters.ts"

export const recordsHandlers = Effect.gen(function* () {
  const generations = yield* Generations
  const ledger = yield* Ledger
  return {
    generation: Effect.fnUntraced(function* ({ caller, query }) {
      const id = yield* Effect.fromResult(readParameters(query, (read) => read.text("id")))
      if (id === undefined)
        return yield* new InvalidRequest({ path: ["id"], problem: "is missing" })
      const { account, workspace } = caller
      const owner = manages(caller) ? { account } : { account, workspace }
      const data = generationJson(yield* generations.find(owner, GenerationId.make(id)))
      return jsonAnswer({ data })
    }),
    credits: managed(({ caller }) =>
      Effect.map(ledger.credits(caller.account), (credits) =>
        jsonAnswer({
          data: {
            total_credits: NanoUsd.toUsdNumber(credits?.granted ?? NanoUsd.zero),
            total_usage: NanoUsd.toUsdNumber(credits?.settled ?? NanoUsd.zero)
          }
        })
      )
    )
  } satisfies Handlers<typeof RecordsApi>
})
