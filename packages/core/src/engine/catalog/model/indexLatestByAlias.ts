/** Resolves `~author/family-latest` aliases. */
import type { Model } from "./Model.ts"

/**
 * The newest visible model of each author's families, by alias. Among models of equal or unknown age, the first in the
 * list. A family without visible models has no alias.
 */
export const indexLatestByAlias = (models: ReadonlyArray<Model>): ReadonlyMap<string, Model> => {
  const latest = new Map<string, Model>()
  for (const model of models) {
    if (model.family === undefined || model.hidden) continue
    const alias = `~${getAuthor(model)}/${model.family}-latest`
    const known = latest.get(alias)
    if (known === undefined || (model.created ?? 0) > (known.created ?? 0)) latest.set(alias, model)
  }
  return latest
}

const getAuthor = ({ id }: Model): string => id.slice(0, id.indexOf("/"))
