/** Upstreams that rerank by the API of Cohere, Jina or Voyage. */
import {
  checkOptionTypes,
  makeRerankCapability,
  type OptionTypes,
  type RerankCall,
  resolveHostKey,
  type Upstream,
  UpstreamFailure
} from "@signalbox/core/upstream"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { getHostname, toBaseUrl } from "./ChatOptions.ts"

/** The API of a server. Many servers, such as vLLM, have Jina's. */
export type RerankDialect = "cohere" | "jina" | "voyage"

/** The dialect, and an `apiKey` unless `baseUrl` is another server. */
export interface RerankOptions {
  readonly dialect: RerankDialect
  /**
   * Sent as `Authorization: Bearer`. Required at the provider's own address; null means that only customers' own
   * credentials are used there.
   */
  readonly apiKey?: string | Redacted.Redacted | null | undefined
  /** The URL under which `/rerank` is. Default: the URL of the provider whose dialect it is. */
  readonly baseUrl?: string | undefined
  /** The provider's slug in `only`, `ignore`, `order` and in the catalog. Default: the dialect. */
  readonly slug?: string | undefined
  /** The `provider` that answers show. Default: the provider whose dialect it is. */
  readonly name?: string | undefined
  /** Sent with every call, in addition to the authorization. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The most input tokens of one image, for the reservation. Default 50,000. */
  readonly maxImageTokens?: number | undefined
}

const optionTypes: OptionTypes<RerankOptions> = {
  dialect: ["string"],
  apiKey: ["string", "object", "null"],
  baseUrl: ["string"],
  slug: ["string"],
  name: ["string"],
  headers: ["object"],
  maxImageTokens: ["number"]
}

interface Dialect {
  readonly name: string
  readonly baseUrl: string
  readonly writeBody: (call: RerankCall) => Result.Result<object, UpstreamFailure>
}

/**
 * Reranks by one `POST {baseUrl}/rerank`. Cohere and Voyage take texts only, and Jina a text or an image per document: any
 * other document is an `unsupported_parameter`, and nothing is sent. Cohere reports search units, which the `request` of a
 * price is for; the others tokens.
 *
 * Throws a `RangeError` for an unknown option or dialect, or one of the wrong type or out of range.
 *
 * @example
 * ```ts
 * import { rerank } from "@signalbox/openai"
 *
 * const upstream = rerank({ dialect: "cohere", apiKey: process.env.COHERE_API_KEY })
 *
 * const local = rerank({
 *   dialect: "jina",
 *   slug: "vllm-rerank",
 *   name: "Our own reranker",
 *   baseUrl: "http://127.0.0.1:8000/v1"
 * })
 * ```
 */
export const rerank = (options: RerankOptions): Upstream => {
  checkOptionTypes("rerank", options, optionTypes)
  if (!Object.hasOwn(dialects, options.dialect)) {
    throw new RangeError(`rerank: dialect must be one of ${Object.keys(dialects).join(", ")}`)
  }
  const { maxImageTokens = 50_000 } = options
  if (!Number.isSafeInteger(maxImageTokens) || maxImageTokens < 0) {
    throw new RangeError(`maxImageTokens must be a whole number, got ${maxImageTokens}`)
  }
  const dialect = dialects[options.dialect]
  const baseUrl = toBaseUrl(options.baseUrl ?? dialect.baseUrl, dialect.baseUrl)
  return {
    slug: options.slug ?? options.dialect,
    name: options.name ?? dialect.name,
    rerank: makeRerankCapability({
      url: `${baseUrl}/rerank`,
      apiKey: resolveHostKey({
        upstreamName: "rerank",
        apiKey: options.apiKey,
        url: baseUrl,
        keyRequiredHost: getHostname(dialect.baseUrl)
      }),
      headers: options.headers,
      maxImageTokens,
      writeBody: dialect.writeBody
    })
  }
}

/** The answer takes the documents of the request, so they are not asked for. */
const withoutDocuments = { return_documents: false }

const writeTexts = (
  { documents }: RerankCall,
  toBody: (texts: ReadonlyArray<string>) => object
): Result.Result<object, UpstreamFailure> =>
  documents.some(({ image }) => image !== undefined)
    ? failUnsupported("documents with images")
    : Result.succeed(toBody(documents.map(({ text = "" }) => text)))

const failUnsupported = (what: string) =>
  Result.fail(new UpstreamFailure({ kind: "unsupported_parameter", detail: what }))

const dialects: Readonly<Record<RerankDialect, Dialect>> = {
  cohere: {
    name: "Cohere",
    baseUrl: "https://api.cohere.com/v2",
    writeBody: (call) =>
      writeTexts(call, (documents) => ({
        ...call.parameters,
        model: call.model,
        query: call.query,
        documents,
        top_n: call.topN
      }))
  },
  jina: {
    name: "Jina",
    baseUrl: "https://api.jina.ai/v1",
    writeBody: (call) =>
      call.documents.some(({ image, text }) => image !== undefined && text !== undefined)
        ? failUnsupported("documents with a text and an image")
        : Result.succeed({
            ...call.parameters,
            ...withoutDocuments,
            model: call.model,
            query: call.query,
            documents: call.documents.map(({ image, text }) =>
              image === undefined ? text : { image }
            ),
            top_n: call.topN
          })
  },
  voyage: {
    name: "Voyage",
    baseUrl: "https://api.voyageai.com/v1",
    writeBody: (call) =>
      writeTexts(call, (documents) => ({
        ...call.parameters,
        ...withoutDocuments,
        model: call.model,
        query: call.query,
        documents,
        top_k: call.topN
      }))
  }
}
