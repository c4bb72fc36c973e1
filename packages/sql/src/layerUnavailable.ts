/** Puts an error that says what to do in the place of one of a driver. */
import type { Stores } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { StorageUnavailable } from "./StorageErrors.ts"

export const layerUnavailable =
  (where: string) =>
  (cause: unknown): Layer.Layer<Stores | SqlClient, StorageUnavailable> =>
    Layer.effectContext(Effect.fail(new StorageUnavailable({ where, cause })))
