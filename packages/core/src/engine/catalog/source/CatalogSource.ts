/** Sources of models outside of the code: a file, a server, or anything else that can be read repeatedly. */
import * as Context from "effect/Context"
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
  /** Whether an empty list may replace models; default: false, and such a list counts as a failed read. */
  readonly allowEmpty?: boolean
  /** Returns new objects when something changed, because results are compared with earlier ones. */
  readonly load: Effect.Effect<
    ReadonlyArray<ModelConfig>,
    CatalogUnavailable,
    HttpClient.HttpClient
  >
}

/**
 * Tells the catalog which entries `load` leaves out, for the log and the health report: `yield* ReportSkipped` in
 * `load`.
 */
export const ReportSkipped: Context.Reference<ReportEntry> = Context.Reference<ReportEntry>(
  "@signalbox/core/engine/catalog/source/ReportSkipped",
  { defaultValue: () => () => undefined }
)

type ReportEntry = (entry: SkippedEntry) => void

/** The result of reading a source. */
export interface CatalogReading {
  readonly models: ReadonlyArray<ModelConfig>
  /** The entries that could not be turned into models; they show in the health report. */
  readonly skipped: ReadonlyArray<SkippedEntry>
}

/** An entry of a catalog that is not served, and why. */
export interface SkippedEntry {
  /** Its id; without an id, its position in the list. */
  readonly model: string
  readonly problem: string
}

/**
 * Keeps the last good catalog, for a start while its source is unavailable. The catalog is written as plain JSON. Both
 * functions may be interrupted.
 */
export interface LastGoodStore {
  /** The catalog that was written last; undefined when none was. */
  readonly read: Effect.Effect<unknown, CatalogUnavailable>
  readonly write: (copy: unknown) => Effect.Effect<void, CatalogUnavailable>
}
