/** Finds a model of a bundle that the catalog does not have, which would allow nothing. */
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import { suggestNames } from "../../values/validation/findNearestName.ts"

/** Starts with the position of the model. */
export const findBundleModelProblem = (
  { models }: Configuration,
  allowed: ReadonlyArray<string>
): string | undefined => {
  const known = new Set(
    models.flatMap(({ card, id }) => [id, card.canonical_slug, toBase(id)].map(toLowerCase))
  )
  const authors = new Set(models.map(({ id }) => `${toAuthor(id).toLowerCase()}/*`))
  for (const [at, slug] of allowed.entries()) {
    const name = slug.toLowerCase()
    if (name.endsWith("/*") ? authors.has(name) : known.has(name)) continue
    const names = slug.endsWith("/*") ? Array.from(authors) : models.map(({ id }) => id)
    return `${at}: ${slug} is no model of this catalog; ${
      names.length === 0 ? "it is empty" : suggestNames(slug, names)
    }`
  }
  return undefined
}

const toLowerCase = (slug: string): string => slug.toLowerCase()

/** A base slug includes its variants. */
const toBase = (id: string): string => {
  const colon = id.lastIndexOf(":")
  return colon > 0 ? id.slice(0, colon) : id
}

const toAuthor = (id: string): string => id.slice(0, Math.max(0, id.indexOf("/")))
