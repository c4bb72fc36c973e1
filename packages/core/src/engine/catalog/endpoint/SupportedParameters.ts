/** The request parameters that an endpoint supports. */

/** Parameter names of the HTTP API; undefined: unknown, so every parameter is passed on. */
export type SupportedParameters = ReadonlySet<string> | undefined

/** Parameters that a listed name implies. */
const impliedParameters: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["tools", ["tool_choice", "parallel_tool_calls"]],
  ["structured_outputs", ["response_format"]]
])

/** Parameters with the same meaning. */
const equivalentParameters: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["max_tokens", ["max_completion_tokens"]],
  ["max_completion_tokens", ["max_tokens"]],
  ["reasoning", ["reasoning_effort", "thinking"]],
  ["reasoning_effort", ["reasoning", "thinking"]],
  ["thinking", ["reasoning", "reasoning_effort"]]
])

/** A configured list with implied parameters. */
export const toSupportedParameters = (
  list: ReadonlyArray<string> | undefined
): SupportedParameters =>
  list === undefined
    ? undefined
    : new Set(list.flatMap((name) => [name, ...(impliedParameters.get(name) ?? [])]))

/** Undefined when unknown. */
export const includesParameter = (
  supported: SupportedParameters,
  parameter: string
): boolean | undefined =>
  supported === undefined
    ? undefined
    : supported.has(parameter) ||
      (equivalentParameters.get(parameter)?.some((name) => supported.has(name)) ?? false)
