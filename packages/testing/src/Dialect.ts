/** The two languages upstream providers speak, and where they speak them. */
export type Dialect = "decisions" | "chat"

/** The dialect of a request; `undefined` where no provider listens. */
export const dialectOf = (method: string, path: string): Dialect | undefined =>
  method === "POST" ? dialects.get(path.split("?", 1)[0]!) : undefined

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ["/api/alpha/decisions", "decisions"],
  ["/api/v1/api/alpha/decisions", "decisions"],
  ["/api/v1/systemone", "decisions"],
  ["/v1/chat/completions", "chat"],
  ["/api/v1/chat/completions", "chat"]
])
