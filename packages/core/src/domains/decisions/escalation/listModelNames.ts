/** The names under which labels may have a model. */
import type { Configuration } from "../../../engine/catalog/Configuration.ts"

/** The given name and the id in the catalog of the model that it stands for, where that is another. */
export const listModelNames = (
  configuration: Configuration,
  name: string
): ReadonlyArray<string> => {
  const id = configuration.resolve(name)?.model.id
  return id === undefined || id === name ? [name] : [name, id]
}
