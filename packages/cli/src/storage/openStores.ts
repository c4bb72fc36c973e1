/** Opens a database on its own, before or without an instance. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { usageError } from "../usageError.ts"
import type { ChosenStorage } from "./chooseStorage.ts"

/** Open and migrated until the scope closes. The failure says why it cannot be used, and what to do. */
export const openStores = ({ layer }: Extract<ChosenStorage, { readonly kind: "database" }>) =>
  Effect.mapError(Layer.build(layer), (error) => usageError(error.message, error))
