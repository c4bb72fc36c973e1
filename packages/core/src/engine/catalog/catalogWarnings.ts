/** What the catalog logs about its sources. */
import * as Effect from "effect/Effect"
import { type CatalogInput, getSourceName } from "./buildConfiguration.ts"
import type { CatalogError } from "./CatalogErrors.ts"
import type { Configuration } from "./Configuration.ts"
import { isVideoModel } from "./model/Model.ts"
import type { UnlistedEndpoint } from "./prices/completeModels.ts"
import type { SkippedEntry } from "./source/CatalogSource.ts"

export const logFailure = ({ problem, source }: CatalogError): Effect.Effect<void> =>
  Effect.logWarning(`${source} was not taken: ${problem}`)

interface WarningFacts {
  readonly input: CatalogInput
  readonly configuration: Configuration
  readonly skipped: ReadonlyArray<SkippedEntry>
}

export const warnSkipped = ({ input, skipped }: WarningFacts): Effect.Effect<void> => {
  if (skipped.length === 0) return Effect.void
  const named = skipped.slice(0, maxNamedModels).map(({ model, problem }) => `${model}: ${problem}`)
  const rest = skipped.length - named.length
  return Effect.logWarning(
    `${getSourceName(input)} has ${skipped.length === 1 ? "an invalid entry that is" : `${skipped.length} invalid entries that are`} ` +
      `not served: ${named.join("; ")}${rest === 0 ? "" : `; and ${rest} others`}`
  )
}

/**
 * Warns when more than half of the models are gone. Such a list is accepted, because it may be right, but it may also
 * be incomplete.
 */
export const warnVanished = (before: WarningFacts, after: WarningFacts): Effect.Effect<void> => {
  const listed = new Set(after.configuration.models.map(({ id }) => id))
  const total = before.configuration.models.length
  const gone = before.configuration.models.filter(({ id }) => !listed.has(id)).length
  return gone * 2 <= total
    ? Effect.void
    : Effect.logWarning(
        `${getSourceName(after.input)} no longer lists ${gone} of its ${total} models; is that meant?`
      )
}

/** Warns once at the start, because clients rely on the context length of the card. */
export const warnMissingContextLength = ({ models }: Configuration): Effect.Effect<void> => {
  const affected = models.filter(
    (model) =>
      !model.hidden &&
      model.contextLength === undefined &&
      !isVideoModel(model) &&
      !model.card.architecture.output_modalities.every((made) => withoutContext.has(made))
  )
  if (affected.length === 0) return Effect.void
  const named = affected.slice(0, maxNamedModels).map(({ id }) => id)
  const rest = affected.length - named.length
  return Effect.logWarning(
    `${affected.length === 1 ? "1 model states" : `${affected.length} models state`} no contextLength, ` +
      "so GET /models shows none, and the filter by context leaves them out: " +
      `${named.join(", ")}${rest === 0 ? "" : ` and ${rest} others`}; set contextLength of the endpoints`
  )
}

/** What models make that are not chosen by how much they read. */
const withoutContext: ReadonlySet<string> = new Set(["image", "speech", "transcription"])

/** The price of these would be that of a public list, which does not have them. */
export const warnUnlisted = (unlisted: ReadonlyArray<UnlistedEndpoint>): Effect.Effect<void> => {
  const named = unlisted
    .slice(0, maxNamedModels)
    .map(({ model, name, provider }) => `${model} ("${name}" at ${provider})`)
  const rest = unlisted.length - named.length
  return Effect.logWarning(
    `no price is known of ${named.join(", ")}${rest === 0 ? "" : ` and ${rest} others`}, so they are not tried under ` +
      "max_price or a spending limit; state price of the endpoints, or correct model"
  )
}

const maxNamedModels = 5
