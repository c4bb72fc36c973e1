/** Turns a model of https://models.dev into one of a price book. */
import type { ListedModel } from "@signalbox/core/catalog"
import { omitUndefined } from "../../packages/core/src/values/ownFields.ts"
import type { PublishedModel } from "./PublishedModel.ts"
import { makesVectors, toPriceList } from "./toPriceList.ts"

/** Undefined: its price is unknown, or it makes something other than text or embeddings. */
export const toListedModel = (
  provider: string,
  id: string,
  model: PublishedModel
): ListedModel | undefined => {
  const { cost, family, limit, modalities, name, release_date, status } = model
  const makesText = modalities.output.every((output) => output === "text")
  // A price of 0 means that none was entered, or that a subscription pays.
  if (!cost?.input || !makesText || !modalities.input.includes("text")) return undefined
  const context = toTokens(limit.context)
  const input = toTokens(limit.input)
  return omitUndefined({
    name,
    family,
    created: release_date === undefined ? undefined : toSeconds(release_date),
    price: toPriceList(provider, id, model),
    contextLength: context,
    maxPromptTokens: input === context ? undefined : input,
    // It is the length of a vector.
    maxCompletionTokens: makesVectors(id) ? undefined : toTokens(limit.output),
    inputs: modalities.input.map((input) => (input === "pdf" ? "file" : input)),
    outputs: makesVectors(id) ? ["embeddings"] : ["text"],
    isDeprecated: status === "deprecated" ? true : undefined
  })
}

const toTokens = (tokens: number | undefined): number | undefined =>
  tokens === undefined || tokens === 0 ? undefined : tokens

/** `date` is `YYYY-MM` or `YYYY-MM-DD`. */
const toSeconds = (date: string): number | undefined => {
  const millis = Date.parse(date.length === 7 ? `${date}-01` : date)
  return Number.isNaN(millis) ? undefined : millis / 1_000
}
