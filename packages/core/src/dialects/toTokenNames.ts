/** Counts of a chat under the names of the APIs of Anthropic and OpenAI that count input and output. */

type Json = Readonly<Record<string, unknown>>

/** Counts of a chat under the names of the APIs of Anthropic and OpenAI that count input and output. */
export const toTokenNames = (usage: object): Json =>
  Object.fromEntries(
    Object.entries(usage).map(([name, value]: readonly [string, unknown]) => [
      name.replace(/^prompt_/, "input_").replace(/^completion_/, "output_"),
      value
    ])
  )
