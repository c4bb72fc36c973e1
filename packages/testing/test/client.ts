/** A real client on loopback, and the requests the tests send with it. */
import { connect } from "node:net"
import { Agent, request } from "undici"
import { onTestFinished } from "vitest"
import { ScriptedUpstream } from "../src/index.ts"

export const startUpstream = async (options?: { tls?: boolean }): Promise<ScriptedUpstream> => {
  const upstream = await ScriptedUpstream.start(options)
  onTestFinished(() => upstream.close())
  return upstream
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

export interface Sending {
  readonly signal?: AbortSignal
  readonly headers?: Record<string, string>
  readonly agent?: Agent
}

/** An agent with keep-alive connections, which closes at the end of the test. */
export const makeAgent = (options?: Agent.Options): Agent => {
  const agent = new Agent(options)
  onTestFinished(() => agent.destroy())
  return agent
}

/** Posts `body` (as JSON unless it is a string); rejects as undici does. */
export const post = async (
  url: string,
  body: unknown,
  sending: Sending = {}
): Promise<HttpResponse> => {
  const response = await start(url, body, sending)
  const text = await response.body.text()
  return { status: response.statusCode, headers: response.headers, text }
}

/** Resolves with the headers, before the body. */
export const start = (url: string, body: unknown, sending: Sending = {}) =>
  request(url, {
    method: "POST",
    dispatcher: sending.agent ?? makeAgent(),
    headers: { "content-type": "application/json", ...sending.headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(sending.signal === undefined ? undefined : { signal: sending.signal })
  })

export const questions = {
  urgent: { type: "noul", instructions: "Is it urgent?" },
  department: {
    type: "choice",
    instructions: "Who should answer?",
    criteria: { billing: "about money", sales: null, support: ["all", "else"] }
  },
  severity: { type: "score", instructions: "How bad is it?", criteria: ["fine", "bad", "worse"] }
}

export const decisionsRequest = { model: "author/judge", state: "My invoice is wrong!", questions }

export const decide = (upstream: ScriptedUpstream, sending?: Sending): Promise<HttpResponse> =>
  post(`${upstream.url}/api/alpha/decisions`, decisionsRequest, sending)

export const chatRequest = (parameters: object = {}) => ({
  model: "judge-mini",
  messages: [{ role: "user", content: "Hello" }],
  ...parameters
})

export const chat = (
  upstream: ScriptedUpstream,
  parameters?: object,
  sending?: Sending
): Promise<HttpResponse> =>
  post(`${upstream.url}/v1/chat/completions`, chatRequest(parameters), sending)

/** Requests structured output with these properties. */
export const schema = (properties: object, definitions: object = {}) => ({
  response_format: {
    type: "json_schema",
    json_schema: { name: "answers", schema: { type: "object", properties, $defs: definitions } }
  }
})

export interface RawExchange {
  readonly body?: unknown
  readonly path?: string
  /** Called with everything received so far, whenever more arrives. */
  readonly onData?: (text: string) => void
}

/** Reads the raw bytes of an exchange, and whether FIN or RST ends the connection. */
export const exchangeRaw = async (
  upstream: ScriptedUpstream,
  { body = decisionsRequest, onData, path = "/api/alpha/decisions" }: RawExchange = {}
): Promise<{ readonly text: string; readonly ending: string }> => {
  const socket = connect(Number(new URL(upstream.url).port), "127.0.0.1")
  let text = ""
  let ending = "nothing"
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString()
    onData?.(text)
  })
  socket.on("end", () => (ending = "FIN"))
  socket.on("error", (error: NodeJS.ErrnoException) => (ending = error.code ?? error.message))
  const json = JSON.stringify(body)
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: upstream\r\nconnection: close\r\n` +
      `content-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
  )
  await new Promise((resolve) => socket.on("close", resolve))
  return { text, ending }
}
