/** Endpoints: a provider that serves a model, with its price and data policy. */
import { type ModelSlug, ProviderSlug } from "../../../values/ids/Ids.ts"
import { isObject } from "../../../values/json/guards.ts"
import { checkFieldNames, type FieldNames } from "../../../values/validation/checkFieldNames.ts"
import { describeUnknownName, suggestNames } from "../../../values/validation/findNearestName.ts"
import { shorten } from "../../../values/validation/text.ts"
import * as DataPolicy from "./DataPolicy.ts"
import { checkImageTerms } from "./checkImageTerms.ts"
import type { ImageTerms } from "./ImageTerms.ts"
import * as Price from "./Price.ts"
import { checkMagnitude, type PriceList } from "./PriceList.ts"
import { Quantization } from "./Quantization.ts"
import { checkSpeechTerms, type SpeechTerms } from "./SpeechTerms.ts"
import { checkServerTools, type ServerToolTerms } from "./ServerToolTerms.ts"
import {
  isParameterName,
  parameterNames,
  type SupportedParameters,
  toSupportedParameters
} from "./SupportedParameters.ts"
import { type Tier, tiers, toTier } from "./Tier.ts"

/** An endpoint as a host configures it. */
export interface EndpointConfig {
  /** Slug of the upstream that serves it. */
  readonly provider: string
  /** Region or variant, appended to the provider's slug as `provider/variant`. */
  readonly variant?: string
  /** Default: `flex` or `priority` when that is the variant. */
  readonly tier?: Tier
  /** Where it runs, for example `eu`; absent: unknown. */
  readonly region?: string
  /** The model's name at the upstream; default: the model's slug. */
  readonly model?: string
  /**
   * Absent: that of `prices`, with the limits that are absent here. An unknown price is `{}`, and is not tried under a
   * spending limit.
   */
  readonly price?: PriceList
  /** Accepts a price above 0.01 USD per token, which is usually a price per million by mistake; default: false. */
  readonly allowHighPrice?: boolean
  /**
   * USD per unit that videos are sold by, as decimal strings, such as `duration_seconds_720p`; default: the
   * `pricing_skus` of the model. See docs/guides/videos.md.
   */
  readonly videoPrice?: Readonly<Record<string, string>>
  /** What it can do that speaks. See docs/guides/speech.md. */
  readonly speech?: SpeechTerms
  /** What images cost there and which parameters they take. Absent: they cost `price`, and take any. See docs/guides/images.md. */
  readonly images?: ImageTerms
  /** Tokens of prompt and answer together; absent means unknown. */
  readonly contextLength?: number
  readonly maxPromptTokens?: number
  readonly maxCompletionTokens?: number
  /**
   * Requests that it runs in parallel, without those on customers' own credentials and video jobs; further ones go to other
   * endpoints, or wait (`Options.requestQueue`). Counted like rate limits: in each process, or in all by `Options.rateLimits`.
   * Default: as many as come.
   */
  readonly maxParallelRequests?: number
  /**
   * The parameters that are sent to it, and no others, for example `logprobs` or `structured_outputs`. `tools` includes
   * `tool_choice` and `parallel_tool_calls`, and `structured_outputs` includes `response_format`. Absent: unknown, and
   * every parameter is passed on.
   */
  readonly supportedParameters?: ReadonlyArray<string>
  /** Parameters of the provider's own in addition to `supportedParameters`, for example `chat_template_kwargs` of vLLM. */
  readonly otherParameters?: ReadonlyArray<string>
  readonly quantization?: Quantization
  /** The data policy of the provider; an omitted field counts as the worst case. */
  readonly data?: Partial<DataPolicy.DataPolicy>
  /** Whether zero data retention is promised; default: the provider does not retain. */
  readonly zdr?: boolean
  /** Whether the provider caches prompts without being asked; default: false. */
  readonly implicitCaching?: boolean
  /** Whether the provider stops, and charges no more, when a request is cut off; false: no request is hedged there. Default: true. */
  readonly cancels?: boolean
  /**
   * Bounds on the tools that the provider runs itself; false: requests with such tools do not go here. Default: they
   * do, except that under a spending limit their worst case must be known. See docs/guides/limits.md.
   */
  readonly serverTools?: ServerToolTerms | false
  /** Typical performance, by which the catalog sorts until there are measurements. */
  readonly typical?: TypicalPerformance
}

/** Published median performance. */
export interface TypicalPerformance {
  /** Milliseconds to the answer. */
  readonly latencyMillis?: number
  /** Output tokens a second. */
  readonly throughput?: number
}

export interface Endpoint {
  /** Identifies the endpoint in health, plans and records: `<model>@<tag>`. */
  readonly id: string
  readonly model: ModelSlug
  readonly provider: ProviderSlug
  /** The provider's slug with the variant: what `only`, `ignore` and `order` match. */
  readonly tag: string
  readonly tier: Tier
  readonly region: string | undefined
  readonly upstreamModel: string
  readonly price: Price.Price
  readonly videoPrice: Readonly<Record<string, string>> | undefined
  readonly speech: SpeechTerms | undefined
  readonly images: ImageTerms | undefined
  readonly contextLength: number | undefined
  readonly maxPromptTokens: number | undefined
  readonly maxCompletionTokens: number | undefined
  readonly maxParallelRequests: number | undefined
  /** With implied parameters; undefined: unknown, and every parameter is passed on. */
  readonly supportedParameters: SupportedParameters
  readonly quantization: Quantization
  readonly data: DataPolicy.DataPolicy
  readonly zdr: boolean
  readonly implicitCaching: boolean
  readonly cancels: boolean
  /** False: it runs none. */
  readonly serverTools: ServerToolTerms | false
  readonly typical: TypicalPerformance
}

/** Throws a `RangeError` that names the endpoint and the problem; `path` is its path in the options. */
export const make = (model: ModelSlug, config: EndpointConfig, path?: string): Endpoint => {
  const at = path === undefined ? "" : `${path}: `
  if (!isObject(config) || typeof config.provider !== "string" || config.provider === "") {
    throw new RangeError(
      `${at}model "${model}" has an endpoint without a provider; name an upstream`
    )
  }
  const { provider, variant } = config
  const tag = variant === undefined ? provider : `${provider}/${variant}`
  const id = `${model}@${tag}`
  try {
    checkConfig(config)
    const data = DataPolicy.make(config.data)
    const list = config.price ?? {}
    const price = Price.make(list)
    if (config.allowHighPrice !== true) checkMagnitude(list)
    return {
      id,
      model,
      provider: ProviderSlug.make(provider),
      tag,
      tier: config.tier ?? toTier(variant),
      region: config.region,
      upstreamModel: config.model ?? model,
      price,
      videoPrice: config.videoPrice,
      speech: config.speech,
      images: config.images,
      contextLength: config.contextLength,
      maxPromptTokens: config.maxPromptTokens,
      maxCompletionTokens: config.maxCompletionTokens,
      maxParallelRequests: config.maxParallelRequests,
      supportedParameters: toSupportedParameters(
        config.supportedParameters && [
          ...config.supportedParameters,
          ...(config.otherParameters ?? [])
        ]
      ),
      quantization: config.quantization ?? "unknown",
      data,
      // Only an explicit true is a promise.
      zdr: config.zdr === true || (config.zdr === undefined && !data.retains),
      implicitCaching: config.implicitCaching === true,
      cancels: config.cancels !== false,
      serverTools: config.serverTools ?? noTerms,
      typical: config.typical ?? {}
    }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new RangeError(`${at}endpoint "${id}": ${cause.message}`, { cause })
  }
}

const noTerms: ServerToolTerms = {}

const fields: FieldNames<EndpointConfig> = {
  provider: true,
  price: true,
  model: true,
  variant: true,
  tier: true,
  region: true,
  supportedParameters: true,
  otherParameters: true,
  contextLength: true,
  maxPromptTokens: true,
  maxCompletionTokens: true,
  maxParallelRequests: true,
  quantization: true,
  data: true,
  zdr: true,
  implicitCaching: true,
  cancels: true,
  serverTools: true,
  typical: true,
  videoPrice: true,
  speech: true,
  images: true,
  allowHighPrice: true
}

const dataFields: FieldNames<DataPolicy.DataPolicy> = {
  collects: true,
  trains: true,
  retains: true,
  retentionDays: true
}

const typicalFields: FieldNames<TypicalPerformance> = { latencyMillis: true, throughput: true }

/** Checked at runtime, because hosts also read catalogs from files. */
const checkConfig = (config: EndpointConfig): void => {
  checkFieldNames(config, "field of an endpoint", fields)
  for (const name of ["variant", "region", "model"] as const) {
    const text: unknown = config[name]
    if (text !== undefined && typeof text !== "string") {
      throw new RangeError(`${name} must be a string`)
    }
    if (text?.trim() === "") throw new RangeError(`${name} is empty; leave it out`)
  }
  if (config.price !== undefined && !isObject(config.price)) {
    throw new RangeError(
      'price must be an object of USD per token such as { prompt: "0.000001", completion: "0.000002" }; leave it out for the listed price, or write {} when unknown'
    )
  }
  for (const name of ["data", "typical", "videoPrice"] as const) {
    if (config[name] !== undefined && !isObject(config[name])) {
      throw new RangeError(`${name} must be an object`)
    }
  }
  checkFieldNames(config.data ?? {}, "field of a data policy", dataFields, "data.")
  checkFieldNames(config.typical ?? {}, "figure of an endpoint", typicalFields, "typical.")
  checkVideoPrice(config.videoPrice ?? {})
  if (config.speech !== undefined) checkSpeechTerms(config.speech)
  if (config.images !== undefined) checkImageTerms(config.images)
  for (const list of ["supportedParameters", "otherParameters"] as const) {
    const names = config[list] ?? []
    if (!isNameList(names)) throw new RangeError(`${list} must be a list of names`)
    if (names.some((name) => name.trim() === "")) {
      throw new RangeError(`${list} holds an empty name; leave it out`)
    }
  }
  const unknownParameter = config.supportedParameters?.find((name) => !isParameterName(name))
  if (unknownParameter !== undefined) {
    throw new RangeError(
      `supportedParameters: ${describeUnknownName(unknownParameter, "known parameter, and one of the provider's own belongs in otherParameters", parameterNames)}`
    )
  }
  for (const name of [
    "contextLength",
    "maxPromptTokens",
    "maxCompletionTokens",
    "maxParallelRequests"
  ] as const) {
    const count = config[name]
    if (count !== undefined && !(Number.isSafeInteger(count) && count > 0)) {
      throw new RangeError(`${name} must be a whole number above 0`)
    }
  }
  for (const name of ["latencyMillis", "throughput"] as const) {
    const median = config.typical?.[name]
    if (median !== undefined && !(Number.isFinite(median) && median > 0)) {
      throw new RangeError(`typical.${name} must be a number above 0`)
    }
  }
  checkServerTools(config.serverTools)
  checkOneOf("tier", tiers, config.tier)
  checkOneOf("quantization", Quantization.literals, config.quantization)
}

const isNameList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === "string")

const checkOneOf = (
  name: string,
  known: ReadonlyArray<string>,
  value: string | undefined
): void => {
  if (value !== undefined && !known.includes(value)) {
    throw new RangeError(`${name} must be one of ${known.join(", ")}, got "${value}"`)
  }
}

/** Throws a `RangeError` that names the problem. */
const checkVideoPrice = (videoPrice: Readonly<Record<string, unknown>>): void => {
  for (const [unit, usd] of Object.entries(videoPrice)) {
    if (!isUnit(unit)) {
      throw new RangeError(
        `videoPrice.${shorten(unit)} is no unit of videos; ${suggestNames(unit, usualUnits)}`
      )
    }
    if (typeof usd !== "string" || !/^\d{1,15}(?:\.\d{1,40})?$/.test(usd)) {
      throw new RangeError(`videoPrice.${unit} must be a decimal string of USD`)
    }
  }
}

const isUnit = (name: string): boolean => otherUnits.has(name) || secondUnit.test(name)

const otherUnits: ReadonlySet<string> = new Set(["video", "video_tokens", "image"])

const resolution = String.raw`(?:_(?:\d{3,4}p|\d{1,2}k|\d{1,5}x\d{1,5}))?`
const audio = "(?:_with(?:out)?_audio)?"
const secondUnit = new RegExp(
  `^(?:(?:image|text)_to_video_)?duration_seconds(?:${resolution}${audio}|${audio}${resolution})$`,
  "i"
)

/** The units of OpenRouter's `pricing_skus`, https://openrouter.ai/docs/guides/overview/multimodal/videos. */
const usualUnits: ReadonlyArray<string> = [
  "video",
  "video_tokens",
  "image",
  "duration_seconds",
  "duration_seconds_with_audio",
  "duration_seconds_without_audio",
  "duration_seconds_720p",
  "duration_seconds_1080p",
  "duration_seconds_4K"
]
