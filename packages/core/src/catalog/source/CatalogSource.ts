/** Where models come from when they are not written in code: a file, a server, anything that can be read again. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type { CatalogUnavailable } from "../CatalogErrors.ts"
import type { ModelConfig } from "../model/Model.ts"

/** Read when the instance is made, then repeatedly. The read may be interrupted. */
export interface CatalogSource {
  /** What health reports call it, such as `file models.json`. No secrets. */
  readonly name: string
  /** Milliseconds between two readings, give or take a fifth; absent: only when asked. */
  readonly refreshMillis?: number
  /** Gives new values whenever something changed: what was given before is compared with them. */
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
