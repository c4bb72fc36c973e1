/** Finds an endpoint by its id without a look at the others, of which a catalog may have hundreds of thousands. Pure. */
import type { Configuration } from "./Configuration.ts"
import type { Endpoint } from "./endpoint/Endpoint.ts"

/** Undefined: the catalog has none with this id. */
export const findEndpoint = (
  { resolve }: Pick<Configuration, "resolve">,
  id: string
): Endpoint | undefined => {
  // An id is that of the model, "@" and the tag, and both parts may have an "@" of their own.
  for (let at = id.indexOf("@"); at !== -1; at = id.indexOf("@", at + 1)) {
    const found = resolve(id.slice(0, at))?.model.endpoints.find((endpoint) => endpoint.id === id)
    if (found !== undefined) return found
  }
  return undefined
}
