/** One way to reach a model: a provider that serves it, at a price, under a policy. */
import type { ModelSlug } from "../values/ModelSlug.ts"
import type { ProviderSlug } from "../values/ProviderSlug.ts"
import * as Price from "./Price.ts"
import type { Quantization } from "./Quantization.ts"

/** An endpoint as a host writes it. */
export interface EndpointConfig {
  /** Slug of the upstream that serves it. */
  readonly provider: string
  /** Region or variant, appended to the provider's slug as `provider/variant`. */
  readonly variant?: string
  /** The model's name at the upstream; default: the model's slug. */
  readonly model?: string
  readonly price: Price.PriceList
  /** Tokens of prompt and answer together; absent means unknown. */
  readonly contextLength?: number
  readonly maxCompletionTokens?: number
  /** Such as `logprobs`, `top_logprobs`, `structured_outputs`. */
  readonly supportedParameters?: ReadonlyArray<string>
  readonly quantization?: Quantization
  /** What the provider does with the data; absent is treated as collecting and retaining. */
  readonly data?: { readonly collects: boolean; readonly zeroRetention: boolean }
}

export interface Endpoint {
  /** Identifies the endpoint in health, plans and records: `<model>@<tag>`. */
  readonly id: string
  readonly model: ModelSlug
  readonly provider: ProviderSlug
  /** The provider's slug with the variant: what `only`, `ignore` and `order` match. */
  readonly tag: string
  readonly upstreamModel: string
  readonly price: Price.Price
  readonly contextLength: number | undefined
  readonly maxCompletionTokens: number | undefined
  readonly supportedParameters: ReadonlySet<string>
  readonly quantization: Quantization
  readonly collectsData: boolean
  readonly zeroRetention: boolean
}

export const make = (model: ModelSlug, config: EndpointConfig): Endpoint => {
  const tag =
    config.variant === undefined ? config.provider : `${config.provider}/${config.variant}`
  return {
    id: `${model}@${tag}`,
    model,
    provider: config.provider as ProviderSlug,
    tag,
    upstreamModel: config.model ?? model,
    price: Price.make(config.price),
    contextLength: config.contextLength,
    maxCompletionTokens: config.maxCompletionTokens,
    supportedParameters: new Set(config.supportedParameters),
    quantization: config.quantization ?? "unknown",
    collectsData: config.data?.collects ?? true,
    zeroRetention: config.data?.zeroRetention ?? false
  }
}
