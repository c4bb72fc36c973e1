/** Models from a server with OpenRouter's HTTP API: OpenRouter, or another Signalbox instance. */
import {
  type CatalogReading,
  type CatalogSource,
  CatalogUnavailable,
  checkOptionTypes,
  getSizedJson,
  type ListProvider,
  type ModelConfig,
  type OptionTypes,
  parseCatalogReading,
  ReportSkipped,
  Settings,
  toCatalogTooLarge,
  toTooManyModels
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import { parseRootUrl } from "./parseRootUrl.ts"

/** The server, the upstream that serves its models, and how often the catalog is read. */
export interface OpenRouterCatalogOptions {
  /** Sent as `Authorization: Bearer`. */
  readonly apiKey?: string | Redacted.Redacted | undefined
  /** The server's root, before `/api/v1/models`, or the address its clients are given. Default `https://openrouter.ai`. */
  readonly baseUrl?: string | undefined
  /**
   * The upstream that serves the models; default: `openrouter`. With null, the models have no endpoints, except those of
   * an overlay.
   */
  readonly servedBy?: ListProvider | null | undefined
  /** Milliseconds between two reads; default: an hour. */
  readonly refreshMillis?: number | undefined
  /** Whether a server without models is believed; default: false, and the models of the read before stay. */
  readonly allowEmpty?: boolean | undefined
}

const optionTypes: OptionTypes<OpenRouterCatalogOptions> = {
  apiKey: ["string", "object"],
  baseUrl: ["string"],
  servedBy: ["object", "null"],
  refreshMillis: ["number"],
  allowEmpty: ["boolean"]
}

/**
 * Reads `GET {baseUrl}/api/v1/models?output_modalities=all`, page by page. An invalid response,
 * or an unreachable server, leaves the catalog unchanged and shows in `health()`. An invalid model is
 * skipped and shows there, too. Throws a
 * `RangeError` for an unknown option or one of the wrong type.
 *
 * @example
 * ```ts
 * import { openrouter, openrouterCatalog } from "@signalbox/openrouter"
 *
 * const apiKey = process.env.OPENROUTER_API_KEY
 * const options = { upstreams: [openrouter({ apiKey })], models: openrouterCatalog({ apiKey }) }
 * ```
 */
export const openrouterCatalog = (options: OpenRouterCatalogOptions = {}): CatalogSource => {
  checkOptionTypes("openrouterCatalog", options, optionTypes)
  const {
    allowEmpty = false,
    refreshMillis = 3_600_000,
    servedBy = { provider: "openrouter" }
  } = options
  const apiKey = typeof options.apiKey === "string" ? Redacted.make(options.apiKey) : options.apiKey
  const root = parseRootUrl(options.baseUrl)
  // Only the parts of the URL that cannot hold a secret.
  const name = `catalog of ${/^\w+:\/\/(?:[^/@]*@)?([^/?#]+)/.exec(root)?.[1] ?? "a server"}`

  const unavailable = (problem: string) => new CatalogUnavailable({ source: name, problem })

  const getPage = (
    offset: number
  ): Effect.Effect<ModelPage, CatalogUnavailable, HttpClient.HttpClient> => {
    const query = `output_modalities=all&offset=${offset}&limit=${pageSize}`
    return Effect.flatMap(
      Effect.mapError(getSizedJson({ url: `${root}/api/v1/models?${query}`, apiKey }), (failure) =>
        unavailable(failure.message)
      ),
      ({ characters, json }) =>
        Effect.try({
          try: () => ({
            ...parseCatalogReading(json, servedBy === null ? {} : { servedBy }),
            total: parseTotal(json),
            characters
          }),
          catch: (cause) => unavailable(cause instanceof Error ? cause.message : String(cause))
        })
    )
  }

  const load = Effect.gen(function* () {
    const settings = yield* Settings
    const reportSkipped = yield* ReportSkipped
    const models: Array<ModelConfig> = []
    let read = 0
    let characters = 0
    let firstProblem: string | undefined
    let page: ModelPage
    do {
      page = yield* getPage(read)
      models.push(...page.models)
      page.skipped.forEach(reportSkipped)
      firstProblem ??= page.skipped[0]?.problem
      read += page.models.length + page.skipped.length
      characters += page.characters
      if (read > settings.maxCatalogModels) return yield* toTooManyModels(name, settings)
      if (characters > settings.maxCatalogBytes) return yield* toCatalogTooLarge(name, settings)
    } while (page.models.length + page.skipped.length > 0 && read < (page.total ?? 0))
    if (models.length > 0 || (allowEmpty && read === 0)) return models
    return yield* unavailable(firstProblem ?? "it has no models; set allowEmpty if that is meant")
  })

  return { name, refreshMillis, allowEmpty, load }
}

interface ModelPage extends CatalogReading {
  /** Absent from servers that send every model at once. */
  readonly total: number | undefined
  readonly characters: number
}

/** The largest page of the HTTP API. */
const pageSize = 1_000

const parseTotal = (json: unknown): number | undefined => {
  if (typeof json !== "object" || json === null || !("total_count" in json)) return undefined
  return typeof json.total_count === "number" ? json.total_count : undefined
}
