/** Which model `~author/family-latest` resolves to. */
import type { Model } from "./Model.ts"

/**
 * The newest visible model of each author's families, by alias. Among models of one age, or of none,
 * the one listed first. A family nobody belongs to has no alias: it never stands for something unrelated.
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
