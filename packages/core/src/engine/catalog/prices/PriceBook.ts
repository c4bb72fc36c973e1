/** A public list of the prices and limits of models, by which endpoints are completed. */
import * as Context from "effect/Context"
import type { PriceList } from "../endpoint/PriceList.ts"

/** The prices of providers, as of a day. `modelsDevPrices` of `@signalbox/prices` is one. */
export interface PriceBook {
  /** Its name in warnings, such as `models.dev`. */
  readonly name: string
  /** The day of the prices, `YYYY-MM-DD`. */
  readonly date: string
  /** By the id that an upstream is `listedAs`, then by the model's name at that provider. */
  readonly providers: Readonly<Record<string, Readonly<Record<string, ListedModel>>>>
}

/** A model at one provider. What is absent is unknown. */
export interface ListedModel {
  readonly name?: string
  /** Such as `gpt-mini`: for the alias `~author/gpt-mini-latest`. */
  readonly family?: string
  /** When it was released, in seconds since the epoch. */
  readonly created?: number
  readonly price: PriceList
  /** Tokens of prompt and answer together. */
  readonly contextLength?: number
  readonly maxPromptTokens?: number
  readonly maxCompletionTokens?: number
  /** Such as `text`, `image`, `file` and `audio`. */
  readonly inputs?: ReadonlyArray<string>
  /** Such as `text` or `embeddings`. */
  readonly outputs?: ReadonlyArray<string>
  /** The provider is about to end it: wildcards leave it out. */
  readonly isDeprecated?: boolean
}

/** A price book, or what loads one when it is needed; false: endpoints without a price have none. */
export type PricesOption = PriceBook | (() => Promise<PriceBook>) | false

/** Set by the platform, because the core has no prices. Default: none. */
export const DefaultPrices: Context.Reference<PricesOption> = Context.Reference(
  "@signalbox/core/engine/catalog/prices/DefaultPrices",
  { defaultValue: (): PricesOption => false }
)
