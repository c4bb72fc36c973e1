/** The APIs of providers to which a chat can be sent. */
export const providerDialects = ["chat", "messages", "gemini", "responses"] as const
export type ProviderDialect = (typeof providerDialects)[number]

/** A value for each of them, made from its name. */
export const forEachDialect = <A>(
  make: (dialect: ProviderDialect) => A
): Readonly<Record<ProviderDialect, A>> => ({
  chat: make("chat"),
  messages: make("messages"),
  gemini: make("gemini"),
  responses: make("responses")
})

/** The API of a request to a provider that speaks all of them. */
export const findProviderDialect = (path: string): ProviderDialect => {
  if (path.endsWith("/messages") || path.includes("awPredict")) return "messages"
  if (path.endsWith("/responses")) return "responses"
  return path.includes("enerateContent") ? "gemini" : "chat"
}
