/** Reranks at a server by one request of JSON. */
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import type { CostParser } from "../openaiChat/parseChatUsage.ts"
import type { RerankCall, RerankCapability } from "../RerankCapability.ts"
import { postJson } from "../transport/jsonRequests.ts"
import type { UpstreamRequest } from "../transport/UpstreamRequest.ts"
import { estimateRerankWorstCase } from "./estimateRerankWorstCase.ts"
import { parseRerankReply } from "./parseRerankReply.ts"
import * as Step from "../../../values/Step.ts"

/** A server that reranks. */
export interface RerankEndpoint extends Pick<UpstreamRequest, "url" | "apiKey" | "headers"> {
  /** The body of the request, or why the server cannot be asked this. */
  readonly writeBody: (call: RerankCall) => Result.Result<object, UpstreamFailure>
  /** The most input tokens of one image, for the reservation. */
  readonly maxImageTokens: number
  /** Reads the cost of a call from the `usage` of its answer; absent: the upstream reports no trusted cost. */
  readonly parseCost?: CostParser | undefined
}

/** The credential of a call takes precedence over `apiKey`. */
export const makeRerankCapability = (endpoint: RerankEndpoint): RerankCapability => {
  const { apiKey, headers, maxImageTokens, parseCost, url, writeBody } = endpoint
  return {
    rerank: (call) =>
      Step.flatMap(Effect.fromResult(writeBody(call)), (body) =>
        postJson({ url, apiKey: call.credential ?? apiKey, headers, body }, (json) =>
          parseRerankReply(json, parseCost)
        )
      ),
    estimateWorstCase: (call) => estimateRerankWorstCase(call, { maxImageTokens })
  }
}
