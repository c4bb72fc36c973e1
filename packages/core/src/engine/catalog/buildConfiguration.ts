/** Builds the configuration from the host's options and the list of its catalog source. */
import * as Effect from "effect/Effect"
import type { Upstream } from "../upstreams/Upstream.ts"
import { CatalogInvalid } from "./CatalogErrors.ts"
import { isObject } from "../../values/json/guards.ts"
import { shorten } from "../../values/validation/text.ts"
import { applyOverlay, type CatalogOverlay } from "./CatalogOverlay.ts"
import * as Configuration from "./Configuration.ts"
import type { ModelConfig } from "./model/Model.ts"
import { completeModels, type UnlistedEndpoint } from "./prices/completeModels.ts"
import { expandWildcards } from "./prices/expandWildcards.ts"
import type { PriceBook, PricesOption } from "./prices/PriceBook.ts"
import type {
  CatalogReading,
  CatalogSource,
  LastGoodStore,
  SkippedEntry
} from "./source/CatalogSource.ts"

/** The inputs of a configuration. */
export interface CatalogInput {
  readonly upstreams: ReadonlyArray<Upstream>
  readonly models: ReadonlyArray<ModelConfig> | CatalogSource
  readonly overlay?: CatalogOverlay
  readonly lastGood?: LastGoodStore
  /** Completes endpoints without a price; default: none does. */
  readonly prices?: PricesOption
}

export const isSource = (models: CatalogInput["models"]): models is CatalogSource =>
  "load" in models

export const getSourceName = ({ models }: CatalogInput): string =>
  isSource(models) ? models.name : inlineSourceName

export const inlineSourceName = "values in code"

export const unreadableProblem = "no catalog could be made of it; the log says how"

/** A configuration, and the entries that are not in it. */
interface BuiltConfiguration {
  readonly configuration: Configuration.Configuration
  readonly skipped: ReadonlyArray<SkippedEntry>
  readonly unlisted: ReadonlyArray<UnlistedEndpoint>
}

/** An invalid model of a source is skipped unless all are; one in the code of the host is refused. */
export const buildConfiguration = (
  input: CatalogInput,
  { models: read, skipped: unread }: CatalogReading,
  version: number,
  book?: PriceBook
): Effect.Effect<BuiltConfiguration, CatalogInvalid> =>
  Effect.suspend(() => {
    const source = getSourceName(input)
    const invalid = (problem: string) => Effect.fail(new CatalogInvalid({ source, problem }))
    const every = isSource(input.models) ? input.models.refreshMillis : undefined
    if (every !== undefined && !(every > 0 && every < Infinity)) {
      return invalid(
        "refreshMillis must be a number of milliseconds above 0; leave it out for never"
      )
    }
    const skipped = unread.map(shortenEntry)
    let defect: unknown
    const onInvalid = (index: number, cause: unknown): void => {
      const { [index]: model } = models
      // The overlay is the host's own code, so its mistakes fail at once.
      if (isValid(input.upstreams, model) && !isValid(input.upstreams, overlaid[index])) throw cause
      if (!(cause instanceof RangeError)) defect = cause
      const id: unknown = Object(model)["id"]
      skipped.push(
        shortenEntry({
          model: typeof id === "string" && id !== "" ? id : `models.${index}`,
          problem: cause instanceof RangeError ? cause.message : unreadableProblem
        })
      )
    }
    let models = read
    let overlaid = read
    try {
      const upstreams = input.upstreams.filter(isObject)
      models = expandWildcards(
        read,
        upstreams,
        book,
        isSource(input.models)
          ? ({ id }, { message }) =>
              void skipped.push(shortenEntry({ model: id, problem: message }))
          : undefined
      )
      const complete = completeModels(applyOverlay(models, input.overlay ?? {}), upstreams, book)
      overlaid = complete.models
      const { unlisted } = complete
      const configuration = Configuration.make(
        version,
        input.upstreams,
        overlaid,
        isSource(input.models) ? onInvalid : undefined
      )
      const [first] = skipped
      const built =
        first !== undefined && configuration.models.length === 0
          ? invalid(first.problem)
          : Effect.succeed({ configuration, skipped, unlisted })
      return defect === undefined
        ? built
        : Effect.andThen(Effect.logError(`${source} made no sense`, defect), built)
    } catch (cause) {
      if (cause instanceof RangeError) return invalid(cause.message)
      // Only a list from elsewhere may break the types; other errors are bugs in the code of the host.
      if (!isSource(input.models)) throw cause
      return Effect.andThen(
        Effect.logError(`${source} made no sense`, cause),
        invalid(unreadableProblem)
      )
    }
  })

/** Lists are foreign, so their names and values may be of any length. */
const shortenEntry = ({ model, problem }: SkippedEntry): SkippedEntry => ({
  model: shorten(model),
  problem: shorten(problem, maxProblemCharacters)
})

const maxProblemCharacters = 500

/** Whether a configuration with this model alone is valid. */
const isValid = (upstreams: CatalogInput["upstreams"], model: ModelConfig | undefined): boolean => {
  try {
    if (model !== undefined) Configuration.make(0, upstreams, [model])
    return model !== undefined
  } catch {
    return false
  }
}
