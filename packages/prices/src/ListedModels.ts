/** The models of one provider. */
import type { PriceBook } from "@signalbox/core/catalog"

/** By the model's name at the provider. */
export type ListedModels = PriceBook["providers"][string]
