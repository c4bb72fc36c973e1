/** Handlers of reranks. */
import * as Effect from "effect/Effect"
import { answerJson } from "../operation/Reply.ts"
import type { Handlers } from "../operation/Handler.ts"
import { Settings } from "../../instance/Settings.ts"
import { decodeRerankRequest } from "../../domains/rerank/parseRerankRequest.ts"
import { Reranks } from "../../domains/rerank/Reranks.ts"
import type { RerankApi } from "./RerankApi.ts"

export const rerankHandlers = Effect.gen(function* () {
  const { submit } = yield* Reranks
  return {
    create: answerJson(yield* Settings, decodeRerankRequest, submit)
  } satisfies Handlers<typeof RerankApi>
})
