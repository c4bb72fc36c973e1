/** The request that the page plans: what its form says, in the JSON of the HTTP API. */

/** Preferences that the form has a field for; others stay in the JSON. */
export const listPreferences = ["order", "only", "ignore", "quantizations"] as const
export const flagPreferences = ["allow_fallbacks", "require_parameters", "zdr"] as const
export const numberPreferences = ["preferred_max_latency", "preferred_min_throughput"] as const

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Undefined unless the text is a JSON object. */
export const parseRequest = (text: string): Json | undefined => {
  try {
    const parsed: unknown = JSON.parse(text)
    return isJson(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** The least that makes a request one of its operation; the plan does not depend on the rest. */
export const operations: Readonly<Record<string, Json>> = {
  chat: { messages: [{ role: "user", content: "Hello" }] },
  decision: {
    state: "Hello",
    questions: { question: { type: "noul", instructions: "Is it a greeting?" } }
  },
  embeddings: { input: "Hello" },
  rerank: { query: "Hello", documents: ["Hello", "Goodbye"] },
  images: { prompt: "A greeting", n: 1 },
  video: { prompt: "A greeting" }
}

/** The operation of a request, by the fields that only it has. */
export const findOperation = (request: Json): string | undefined =>
  Object.entries({
    chat: "messages",
    decision: "questions",
    embeddings: "input",
    rerank: "documents",
    images: "n",
    video: "prompt"
  }).find(([, field]) => Object.hasOwn(request, field))?.[0]

export const getPreferences = (request: Json): Json =>
  isJson(request["provider"]) ? request["provider"] : {}

/** The request with another preference; undefined removes it. */
export const withPreference = (request: Json, name: string, value: unknown): Json => {
  const { [name]: _, ...others } = getPreferences(request)
  const provider = value === undefined ? others : { ...others, [name]: value }
  const { provider: _old, ...rest } = request
  return Object.keys(provider).length === 0 ? rest : { ...rest, provider }
}

/** The request as another operation, with the same model and preferences. */
export const withOperation = ({ model, models, provider }: Json, operation: string): Json => ({
  ...(model === undefined ? undefined : { model }),
  ...(models === undefined ? undefined : { models }),
  ...operations[operation],
  ...(provider === undefined ? undefined : { provider })
})
