/** Sources of models outside of the code: a file, a server, or anything else that can be read repeatedly. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type { CatalogUnavailable } from "../CatalogErrors.ts"
import type { ModelConfig } from "../model/Model.ts"

/** Read when the instance is made, then repeatedly. The read may be interrupted. */
export interface CatalogSource {
  /** Its name in health reports, for example `file models.json`. No secrets. */
  readonly name: string
  /** Milliseconds between two refreshes, varied by up to a fifth; absent: refreshed on request only. */
  readonly refreshMillis?: number
  /** Returns new objects when something changed, because results are compared with earlier ones. */
  readonly load: Effect.Effect<
    ReadonlyArray<ModelConfig>,
    CatalogUnavailable,
    HttpClient.HttpClient
  >
}

/**
 * Where the last good catalog is kept, for a start while its source is unavailable. What is
 * written is plain JSON. Both may be interrupted.
 */
export interface LastGoodStore {
  /** What was written last; undefined when nothing was. */
  readonly read: Effect.Effect<unknown, CatalogUnavailable>
  readonly write: (copy: unknown) => Effect.Effect<void, CatalogUnavailable>
}
