/** Handlers of reranks. */
import * as Effect from "effect/Effect"
import { answerJson } from "../../http/operation/answerJson.ts"
import type { OperationHandlers } from "../../http/operation/OperationHandler.ts"
import { Settings } from "../../Settings.ts"
import { decodeRerankRequest } from "../parseRerankRequest.ts"
import { Reranks } from "../Reranks.ts"
import type { RerankApi } from "./RerankApi.ts"

export const rerankHandlers = Effect.gen(function* () {
  const { submit } = yield* Reranks
  return {
    create: answerJson(yield* Settings, decodeRerankRequest, submit)
  } satisfies OperationHandlers<typeof RerankApi>
})
