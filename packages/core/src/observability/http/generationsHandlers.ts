/** Handlers of the generation operations. */
import * as Effect from "effect/Effect"
import { Generations } from "../generations/Generations.ts"
import { GenerationId } from "../../values/ids/GenerationId.ts"
import type { GenerationsApi } from "./GenerationsApi.ts"
import { toResourceOwner } from "../../auth/permissions.ts"
import type { OperationHandlers } from "../../http/operation/OperationHandler.ts"
import { toGenerationResponse } from "./toGenerationResponse.ts"

export const generationsHandlers = Effect.gen(function* () {
  const generations = yield* Generations
  return {
    get: ({ query }, { caller }) =>
      Effect.map(
        generations.get(toResourceOwner(caller), GenerationId.make(query.id)),
        (generation) => ({ data: toGenerationResponse(generation) })
      )
  } satisfies OperationHandlers<typeof GenerationsApi>
})
