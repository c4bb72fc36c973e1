/** Finds models in price books, by the names that hosts give them. */
import type { Upstream } from "../../upstreams/Upstream.ts"
import type { ListedModel, PriceBook } from "./PriceBook.ts"

/** What completes the endpoints of an upstream. */
export type ListedUpstream = Pick<Upstream, "authors" | "listedAs" | "listParameters" | "slug">

/** A listed model, and the provider's name for it. */
export interface NamedModel {
  readonly name: string
  readonly listed: ListedModel
}

/** The models of the provider; undefined: the upstream is at another address, or the book does not have it. */
export const findListedModels = (
  book: PriceBook | undefined,
  listedAs: Upstream["listedAs"]
): PriceBook["providers"][string] | undefined =>
  book !== undefined && listedAs !== undefined && Object.hasOwn(book.providers, listedAs)
    ? book.providers[listedAs]
    : undefined

/**
 * `name` is the model's name at the provider, or the id of the model: `openai/gpt-5-mini` is `gpt-5-mini` at OpenAI, and
 * `openai/gpt-oss-120b` is called that at Groq.
 */
export const findListedModel = (
  models: PriceBook["providers"][string],
  name: string
): NamedModel | undefined => {
  for (const candidate of [name, removeAuthor(name)]) {
    const listed = Object.hasOwn(models, candidate) ? models[candidate] : undefined
    if (listed !== undefined) return { name: candidate, listed }
  }
  return undefined
}

export const removeAuthor = (id: string): string => id.slice(id.indexOf("/") + 1)
