/** Chats at a provider with OpenAI's Responses API: OpenAI, Azure, and others that serve it. */
import * as Result from "effect/Result"
import type { ReasoningFormat } from "../../conversation/Part.ts"
import type { ChatCapability } from "../../engine/upstreams/ChatCapability.ts"
import type { CostParser } from "../../engine/upstreams/openaiChat/parseChatUsage.ts"
import { isObject } from "../../values/json/guards.ts"
import { readCallFields, toObjectText } from "../chat/callFields.ts"
import { type ChatDialect, type DialectEndpoint, makeDialectChat } from "../makeDialectChat.ts"
import { getReasoningFamily } from "../reasoningFamily.ts"
import { rememberModels } from "../rememberModels.ts"
import { findResponsesModel, type ResponsesModels } from "./ResponsesModel.ts"
import { findNonEmptyText, type Json } from "./fields.ts"
import { openaiFormat, parseReasoningItem, wrapReasoning } from "./parseReasoningItem.ts"
import { passOnResponses } from "./passOnResponses.ts"
import { parseResponsesAnswer } from "./readAnswer.ts"
import { makeResponsesEventReader } from "./readEvents.ts"
import { toResponsesFailure } from "./responsesFailures.ts"
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

/** A response, or an event of a stream: calls have ids and the text of their arguments, and content is a list. The same object if so. */
const repairItems = (json: Json): Json => {
  const { item, output, response } = json
  if (isObject(item)) return replace(json, "item", item, repairItem(item))
  if (isObject(response)) return replace(json, "response", response, repairItems(response))
  if (!Array.isArray(output)) return json
  return output.some((each) => isObject(each) && repairItem(each) !== each)
    ? { ...json, output: output.map((each) => (isObject(each) ? repairItem(each) : each)) }
    : json
}

const replace = (json: Json, name: string, before: Json, after: Json): Json =>
  before === after ? json : { ...json, [name]: after }

const repairItem = (item: Json): Json => {
  const { arguments: given, call_id: callId, content, id, type } = item
  if (type === "message" && typeof content === "string") {
    const text = { type: "output_text", text: content, annotations: [], logprobs: [] }
    return { ...item, content: [text] }
  }
  if (type !== "function_call") return item
  const hasId = typeof callId === "string" && callId !== ""
  if (hasId && typeof given === "string") return item
  return {
    ...item,
    ...(hasId ? undefined : { call_id: id }),
    ...(typeof given === "string"
      ? undefined
      : { arguments: toObjectText(readCallFields(item).text) })
  }
}

/** `json` is a response or one of its events. */
export const wrapNativeReasoning = (json: Json, format: ReasoningFormat): Json => {
  const { item, output, response } = json
  return {
    ...json,
    ...(isObject(item) ? { item: wrapItem(item, format) } : undefined),
    ...(isObject(response) ? { response: wrapNativeReasoning(response, format) } : undefined),
    ...(Array.isArray(output)
      ? { output: output.map((each) => (isObject(each) ? wrapItem(each, format) : each)) }
      : undefined)
  }
}

const wrapItem = (item: Json, format: ReasoningFormat): Json => {
  if (item["type"] !== "reasoning") return item
  if (findNonEmptyText(item["encrypted_content"]) === undefined) return item
  let summaries = 0
  const parts = parseReasoningItem(item, format).map((part) =>
    part.isSummary === true ? { ...part, summaryIndex: summaries++ } : part
  )
  return { ...item, encrypted_content: wrapReasoning(parts) }
}
