/** Whether an endpoint takes a parameter, which it may know by another name than the caller. */

/** What carries the same to a model, or comes with it. */
const others: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["max_tokens", ["max_completion_tokens"]],
  ["max_completion_tokens", ["max_tokens"]],
  ["parallel_tool_calls", ["tools"]],
  ["reasoning_effort", ["reasoning"]],
  ["response_format", ["structured_outputs"]]
])

export const supports = (supported: ReadonlySet<string>, parameter: string): boolean =>
  supported.has(parameter) || (others.get(parameter)?.some((name) => supported.has(name)) ?? false)
