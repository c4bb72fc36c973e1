/** Chats at a provider with OpenAI's Responses API: OpenAI, Azure, and others that serve it. */
import * as Result from "effect/Result"
import type { ReasoningFormat } from "../../conversation/Part.ts"
import type { ChatCapability } from "../../engine/upstreams/ChatCapability.ts"
import type { CostParser } from "../../engine/upstreams/openaiChat/parseChatUsage.ts"
import { type ChatDialect, type DialectEndpoint, makeDialectChat } from "../makeDialectChat.ts"
import { getReasoningFamily } from "../reasoningFamily.ts"
import { rememberModels } from "../rememberModels.ts"
import { makeResponsesEventReader } from "./readEvents.ts"
import { parseResponsesAnswer } from "./readAnswer.ts"
import { repairItems } from "./repairItems.ts"
import { passOnResponses } from "./passOnResponses.ts"
import { openaiFormat } from "./reasoningFormat.ts"
import { findResponsesModel, type ResponsesModels } from "./ResponsesModel.ts"
import { toResponsesFailure } from "./responsesFailures.ts"
import { wrapNativeReasoning } from "./wrapNativeReasoning.ts"
import { minOutputTokens, writeResponsesRequest } from "./writeRequest.ts"

/** How a provider differs from OpenAI itself. */
export interface ResponsesDialectOptions {
  /** Facts about models, which take precedence over the built-in ones. */
  readonly models?: ResponsesModels | undefined
  /**
   * The format of its encrypted reasoning, which only the provider itself can read: `azure-openai-responses-v1` for Azure.
   * Default `openai-responses-v1`.
   */
  readonly reasoningFormat?: ReasoningFormat | undefined
  /** Whether it takes OpenRouter's additions, such as `top_k` or videos. Default false. */
  readonly takesAdditions?: boolean | undefined
  /** Reads the cost of a call from the `usage` of its answer; absent: the upstream reports no trusted cost. */
  readonly parseCost?: CostParser | undefined
}

/** The address of a provider, its credential, and how it differs from OpenAI itself. */
export interface ResponsesEndpoint
  extends Omit<DialectEndpoint, "dialect" | "getUrl" | "maxOutputTokens">, ResponsesDialectOptions {
  /** Where requests are posted, such as `https://api.openai.com/v1/responses`. */
  readonly url: string
  /** The maximum length of an answer in tokens, for the reservation, unless the call sets one. It is not sent. */
  readonly maxOutputTokens: number
}

/**
 * Each call is one request to `url`, and nothing is stored there: reasoning comes and returns in encrypted form. Without
 * `keyHeader` the key is sent as `Authorization: Bearer`. The API has no `stop`, `seed`, penalties and `logit_bias`;
 * they are left out. A call for several answers is an `unsupported_parameter`.
 */
export const makeResponsesChat = (endpoint: ResponsesEndpoint): ChatCapability => {
  const chat = makeDialectChat({
    ...endpoint,
    getUrl: () => endpoint.url,
    dialect: makeResponsesDialect(endpoint)
  })
  return {
    ...chat,
    estimateWorstCase: (call) => {
      const { maxOutputTokens = minOutputTokens } = call
      // A smaller cap is raised.
      return chat.estimateWorstCase(
        maxOutputTokens < minOutputTokens ? { ...call, maxOutputTokens: minOutputTokens } : call
      )
    }
  }
}

const makeResponsesDialect = ({
  models,
  parseCost,
  reasoningFormat = openaiFormat,
  takesAdditions = false
}: ResponsesDialectOptions): ChatDialect => {
  const findModel = rememberModels((model) => findResponsesModel(model, models))
  const family = getReasoningFamily(reasoningFormat) ?? reasoningFormat
  const answering = { reasoningFormat, ...(parseCost === undefined ? undefined : { parseCost }) }
  return {
    writeRequest: (conversation, { efforts, isStreamed, model }, changes) => {
      const { isReasoning, efforts: known } = findModel(model)
      return writeResponsesRequest(conversation, {
        changes,
        efforts: takesAdditions ? undefined : (efforts ?? known),
        model,
        isStreamed,
        takesAdditions,
        family,
        ...(isReasoning === undefined ? undefined : { isReasoningModel: isReasoning })
      })
    },
    name: "responses",
    passOn: (body, call, changes) => {
      const model = findModel(call.model)
      return Result.succeed(
        passOnResponses(body, call, family, {
          changes,
          ...(takesAdditions
            ? undefined
            : {
                efforts: call.efforts ?? model.efforts,
                takesReasoning: model.isReasoning !== false
              })
        })
      )
    },
    parseAnswer: (json, options) => parseResponsesAnswer(json, { ...answering, ...options }),
    makeEventReader: (options) => makeResponsesEventReader({ ...answering, ...options }),
    toFailure: toResponsesFailure,
    reasoningFamily: family,
    markNative:
      reasoningFormat === openaiFormat
        ? repairItems
        : (json) => wrapNativeReasoning(repairItems(json), reasoningFormat)
  }
}
