/** Whose a candidate of a job is. */
import type { Configuration } from "../../catalog/Configuration.ts"

/** The slug of its provider; what the host has taken away is known by its own name alone. */
export const toProviderSlug = (
  candidate: string,
  model: string,
  { resolve }: Pick<Configuration, "resolve">
): string =>
  resolve(model)?.model.endpoints.find(
    ({ id }) => candidate === id || candidate.startsWith(`${id}#`)
  )?.provider ?? candidate
