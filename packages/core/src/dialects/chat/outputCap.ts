/** The parameters of the chat dialect that cap an answer, and which of them an endpoint supports. */
type Parameters = Readonly<Record<string, unknown>>

/** Both cap the answer; reasoning models support the newer name only. */
export const outputCapNames: ReadonlyArray<string> = ["max_tokens", "max_completion_tokens"]

/** The parameter that caps the answer, the caller's own if supported; undefined when none is. */
export const findOutputCapName = (
  parameters: Parameters,
  supported: ReadonlySet<string> | undefined
): string | undefined => {
  const known =
    supported === undefined ? outputCapNames : outputCapNames.filter((name) => supported.has(name))
  return known.find((name) => Object.hasOwn(parameters, name)) ?? known[0]
}
