/** What a pass-through does on every host: checks the key, makes the same upstream call, hands back what to pass on. */
import type { Readable } from "node:stream"
import { Pool } from "undici"

/** The upstream's path by the client's path. */
const upstreamPaths = new Map([
  ["/api/alpha/decisions", "/api/alpha/decisions"],
  ["/api/v1/chat/completions", "/v1/chat/completions"],
  ["/api/v1/audio/speech", "/v1/audio/speech"]
])

/** `body` is a stream if the answer is one. */
export interface Passed {
  readonly status: number
  readonly type: string
  readonly body: string | Readable
}

const unauthorized: Passed = {
  status: 401,
  type: "application/json",
  body: JSON.stringify({ error: { code: 401, message: "Missing Authentication header" } })
}
const headers = { "content-type": "application/json", authorization: "Bearer sk-bench-upstream" }

export const makeForward = (origin: string) => {
  const upstream = new Pool(origin)
  return async (
    path: string,
    authorization: string | undefined,
    parsed: unknown
  ): Promise<Passed> => {
    if (authorization !== "Bearer sk-bench") return unauthorized
    const response = await upstream.request({
      method: "POST",
      path: upstreamPaths.get(path) ?? "/",
      headers,
      body: JSON.stringify(parsed)
    })
    const type = String(response.headers["content-type"])
    const isStream = type.startsWith("text/event-stream") || type.startsWith("audio/")
    const body = isStream ? response.body : await response.body.text()
    return { status: response.statusCode, type, body }
  }
}
