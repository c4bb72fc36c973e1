/** Sends an HTTP request on loopback and reads the complete response; fails after a timeout. */
import { Readable } from "node:stream"
import { Agent, request } from "undici"
import { type HttpResponse, parseJson } from "./HttpResponse.ts"

export interface SendOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  /** Whether to send the body in chunks, without a content length. */
  readonly chunked?: boolean
  readonly signal?: AbortSignal
}

/** Far longer than any request takes, far shorter than the timeout of a test. */
const timeoutMillis = 120_000

const agent = new Agent({
  headersTimeout: timeoutMillis,
  bodyTimeout: timeoutMillis,
  // Reusing a connection that the server is about to close would fail the request.
  keepAliveTimeout: 1_000
})

export const send = async (url: string, sending: SendOptions = {}): Promise<HttpResponse> => {
  const { body, chunked = false, headers, method = "POST", signal } = sending
  const response = await request(url, {
    dispatcher: agent,
    method,
    headers: { ...headers },
    ...(body === undefined ? undefined : { body: chunked ? Readable.from(splitBody(body)) : body }),
    ...(signal === undefined ? undefined : { signal })
  })
  const text = await response.body.text()
  return {
    status: response.statusCode,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)])
    ),
    text,
    body: parseJson(text)
  }
}

async function* splitBody(body: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(body)
  const size = Math.max(1, Math.ceil(bytes.length / 8))
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
