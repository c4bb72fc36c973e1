/** A server of a test that answers with JSON, and the requests it got. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"

export interface JsonAnswer {
  readonly status: number
  readonly body: unknown
}

export interface JsonServer extends AsyncDisposable {
  readonly url: string
  /** Method, path and authorization of each request. */
  readonly requests: ReadonlyArray<string>
}

/** It answers below the mount `/ai`. */
export const startJsonServer = async (
  answer: (url: string, body: unknown) => JsonAnswer
): Promise<JsonServer> => {
  const requests: Array<string> = []
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    const asked = await text(request)
    const { body, status } = answer(request.url ?? "", asked === "" ? undefined : JSON.parse(asked))
    response.writeHead(status, { "content-type": "application/json" })
    response.end(JSON.stringify(body))
  }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}/ai`,
    requests,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve()))
  }
}
