/** The parameters of a chat that the HTTP API knows, but the router neither implements nor passes on. */
import * as Predicate from "effect/Predicate"

const ignorableParameters: ReadonlySet<string> = new Set([
  "debug",
  "metadata",
  "plugins",
  "preset",
  "route",
  "safeguards",
  "stop_server_tools_when",
  "transforms"
])

export const isIgnorable = (name: string): boolean => ignorableParameters.has(name)

/** Leaves out parameters that ask for nothing: empty ones, and the `route` that applies to every chat anyway. */
export const listIgnoredParameters = (
  given: Readonly<Record<string, unknown>>
): ReadonlyArray<string> =>
  Object.keys(given).filter((name) => isIgnorable(name) && hasEffect(name, given[name]))

const hasEffect = (name: string, value: unknown): boolean =>
  name === "route"
    ? value !== "fallback"
    : value !== false && !(Predicate.isObjectOrArray(value) && Object.keys(value).length === 0)
