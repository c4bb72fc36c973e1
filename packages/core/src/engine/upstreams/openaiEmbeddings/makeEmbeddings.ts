/** Embeddings at a server with OpenAI's embeddings API. */
import type { EmbeddingCall, EmbeddingCapability } from "../EmbeddingCapability.ts"
import type { CostParser } from "../openaiChat/parseChatUsage.ts"
import { postJson } from "../transport/jsonRequests.ts"
import type { UpstreamRequest } from "../transport/UpstreamRequest.ts"
import {
  type EmbeddingTokenLimits,
  estimateEmbeddingWorstCase
} from "./estimateEmbeddingWorstCase.ts"
import { parseEmbeddingReply } from "./parseEmbeddingReply.ts"

/** A server with OpenAI's embeddings API. */
export interface EmbeddingEndpoint
  extends
    Pick<UpstreamRequest, "url" | "apiKey" | "keyHeader" | "headers" | "signer">,
    EmbeddingTokenLimits {
  /**
   * Whether the server takes `encoding_format`. If it does not, vectors are converted here to the requested form.
   * Default false.
   */
  readonly takesEncoding?: boolean | undefined
  /** The most inputs of one request, 1 or more. Default: unlimited. */
  readonly maxInputs?: number | undefined
  /** See `EmbeddingCapability`. Default false. */
  readonly checksParameters?: boolean | undefined
  /** Reads the cost of a call from the `usage` of its answer; absent: the upstream reports no trusted cost. */
  readonly parseCost?: CostParser | undefined
}

/**
 * Posts the model, the inputs and the parameters to `url`. The credential of a call takes precedence over `apiKey` and
 * `signer`.
 */
export const makeEmbeddings = (endpoint: EmbeddingEndpoint): EmbeddingCapability => {
  const { apiKey, checksParameters, headers, keyHeader, maxInputs, parseCost, signer } = endpoint
  const { takesEncoding = false, url } = endpoint
  return {
    embed: (call) =>
      postJson(
        {
          url,
          apiKey: call.credential ?? apiKey,
          keyHeader,
          headers,
          signer: call.credential === undefined ? signer : undefined,
          body: toBody(call, takesEncoding)
        },
        (json) => parseEmbeddingReply(json, parseCost)
      ),
    estimateWorstCase: (call) => estimateEmbeddingWorstCase(call, endpoint),
    ...(maxInputs === undefined ? undefined : { maxInputs }),
    ...(checksParameters === true ? { checksParameters } : undefined)
  }
}

const toBody = (
  { dimensions, encoding, inputs, inputType, model, parameters }: EmbeddingCall,
  takesEncoding: boolean
) => ({
  ...parameters,
  model,
  input: inputs,
  ...(takesEncoding ? { encoding_format: encoding } : undefined),
  ...(dimensions === undefined ? undefined : { dimensions }),
  ...(inputType === undefined ? undefined : { input_type: inputType })
})
