/** The root of a server of this wire, without a slash at its end. */
export const rootOf = (baseUrl: string | undefined): string =>
  (baseUrl ?? "https://openrouter.ai").replace(/\/+$/, "")
