/** Which parameters an endpoint takes, and which of those a caller sends it is not sent. */

/** Parameter names of the HTTP API; undefined: unknown, so every parameter is passed on. */
export type SupportedParameters = ReadonlySet<string> | undefined

/** What a name in a list stands for besides. */
const impliedParameters: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["tools", ["tool_choice", "parallel_tool_calls"]],
  ["structured_outputs", ["response_format"]]
])

/** What carries the same to a model. */
const equivalentParameters: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["max_tokens", ["max_completion_tokens"]],
  ["max_completion_tokens", ["max_tokens"]],
  ["reasoning_effort", ["reasoning"]]
])

/** A list as a host writes it, with all that its names include. */
export const toSupportedParameters = (
  list: ReadonlyArray<string> | undefined
): SupportedParameters =>
  list === undefined
    ? undefined
    : new Set(list.flatMap((name) => [name, ...(impliedParameters.get(name) ?? [])]))

/** Undefined where nobody says. */
export const includesParameter = (
  supported: SupportedParameters,
  parameter: string
): boolean | undefined =>
  supported === undefined
    ? undefined
    : supported.has(parameter) ||
      (equivalentParameters.get(parameter)?.some((name) => supported.has(name)) ?? false)
