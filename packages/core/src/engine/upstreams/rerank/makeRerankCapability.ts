/** Reranks at a server by one request of JSON. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Step from "../../../values/Step.ts"
import { countUtf8Bytes } from "../../../values/json/JsonCost.ts"
import { isObject, toList } from "../../../values/json/guards.ts"
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import type {
  RerankCall,
  RerankCapability,
  RerankReply,
  RerankResult
} from "../RerankCapability.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { findEmbeddedFailure } from "../failures/findEmbeddedFailure.ts"
import type { CostParser } from "../openaiChat/parseChatUsage.ts"
import type { UpstreamRequest } from "../transport/UpstreamRequest.ts"
import { postJson } from "../transport/jsonRequests.ts"

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

/**
 * Results are in `results` or `data`. Their documents are ignored: the core takes those of the request. Usage is tokens
 * (`usage.total_tokens`, or `input_tokens` in `meta`), search units (`usage.search_units` or
 * `meta.billed_units.search_units`), or both.
 */
const parseRerankReply = (
  json: unknown,
  parseCost?: CostParser
): Result.Result<RerankReply, UpstreamFailure> => {
  if (!isObject(json)) return Result.fail(toInvalidAnswer("the answer is not a JSON object"))
  const report = parseUsage(json, parseCost)
  const inside = findEmbeddedFailure(json, report.usage)
  if (inside !== undefined) return Result.fail(inside)
  const { data, id, model, results: found = data } = json
  if (!Array.isArray(found)) {
    return Result.fail(toInvalidAnswer("the answer holds no results", report.usage))
  }
  const results: Array<RerankResult> = []
  for (const [position, each] of toList(found).entries()) {
    const result = parseResult(each)
    if (result === undefined) {
      return Result.fail(toInvalidAnswer(`result ${position} has no index or score`, report.usage))
    }
    results.push(result)
  }
  return Result.succeed({
    results,
    ...report,
    ...(isShortText(id) ? { id } : undefined),
    ...(isShortText(model) ? { model } : undefined)
  })
}

const parseResult = (item: unknown): RerankResult | undefined => {
  if (!isObject(item)) return undefined
  const { index, relevance_score: score } = item
  return typeof index === "number" && typeof score === "number" ? { index, score } : undefined
}

/**
 * Zeros count nothing, because no query is empty: SiliconFlow reports tokens in `meta`, beside 0 search units
 * (https://docs.siliconflow.cn/en/api-reference/rerank/create-rerank).
 */
const parseUsage = (
  { meta, usage: given }: Json,
  parseCost: CostParser | undefined
): Pick<RerankReply, "cost" | "searchUnits" | "usage"> => {
  const usage = toObject(given)
  const billed = toObject(toObject(meta)["billed_units"])
  const counted = toObject(toObject(meta)["tokens"])
  const searchUnits = findCount(usage["search_units"], billed["search_units"])
  const tokens = findCount(
    usage["total_tokens"],
    usage["prompt_tokens"],
    usage["input_tokens"],
    billed["input_tokens"],
    counted["input_tokens"]
  )
  const cost = parseCost?.(usage)
  if (searchUnits === undefined && tokens === undefined) return cost === undefined ? {} : { cost }
  return {
    usage: {
      inputTokens: tokens ?? 0,
      outputTokens: 0,
      ...(searchUnits === undefined ? undefined : { requests: searchUnits })
    },
    ...(searchUnits === undefined ? undefined : { searchUnits }),
    ...(cost === undefined ? undefined : { cost })
  }
}

type Json = Readonly<Record<string, unknown>>

const toObject = (value: unknown): Json => (isObject(value) ? value : {})

const findCount = (...values: ReadonlyArray<unknown>): number | undefined =>
  values.filter(isCount).find((count) => count > 0)

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0

/** Bounded, because it is shown to callers and stored. */
const isShortText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= 256

const toInvalidAnswer = (detail: string, usage?: RerankReply["usage"]): UpstreamFailure =>
  new UpstreamFailure({
    kind: "invalid_answer",
    detail,
    ...(usage === undefined ? undefined : { usage })
  })

/** A token has at least one byte of text, and a model reads the query with each document. Search units are requests. */
export const estimateRerankWorstCase = (
  { documents, query }: Pick<RerankCall, "documents" | "query">,
  { maxImageTokens }: { readonly maxImageTokens: number }
): TokenUsage => {
  const queryTokens = countUtf8Bytes(query) + overheadTokens
  let inputTokens = 0
  let chunks = 0
  for (const { image, text = "" } of documents) {
    const tokens = queryTokens + countUtf8Bytes(text) + (image === undefined ? 0 : maxImageTokens)
    inputTokens += tokens
    chunks += Math.ceil(tokens / tokensPerChunk)
  }
  return { inputTokens, outputTokens: 0, requests: Math.ceil(chunks / chunksPerUnit) }
}

/** Marks that a model puts around the query and a document. */
const overheadTokens = 8

/** How Cohere counts search units: https://cohere.com/pricing. */
const tokensPerChunk = 500
const chunksPerUnit = 100
