/**
 * A server whose responses a test writes itself, on Node's own response. If the responses are known in advance, a
 * `ScriptedUpstream` is shorter.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { listen } from "./hostContract/listen.ts"

export interface ReceivedRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body as JSON. */
  readonly json: unknown
  /** Waits until the caller disconnects before the end of the response. */
  readonly aborted: Effect.Effect<void>
}

export interface RecordingServer {
  readonly url: string
  readonly requests: ReadonlyArray<ReceivedRequest>
  /** Waits for this many requests. */
  readonly waitForRequests: (count: number) => Effect.Effect<void>
}

export const startRecordingServer = (
  answer: (request: ReceivedRequest, response: ServerResponse) => void
): Effect.Effect<RecordingServer, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => start(answer)),
      ({ close }) => Effect.promise(close)
    ),
    ({ server }) => server
  )

const start = async (answer: (request: ReceivedRequest, response: ServerResponse) => void) => {
  const requests: Array<ReceivedRequest> = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const aborted = new Promise<void>((resolve) => {
      response.on("close", () => {
        if (!response.writableFinished) resolve()
      })
    })
    let text = ""
    request.setEncoding("utf8")
    request.on("data", (chunk: string) => (text += chunk))
    request.on("end", () => {
      const recorded: ReceivedRequest = {
        method: request.method,
        url: request.url,
        headers: request.headers,
        text,
        get json() {
          return JSON.parse(text)
        },
        aborted: Effect.promise(() => aborted)
      }
      requests.push(recorded)
      answer(recorded, response)
      for (const wake of waiting) wake()
    })
  })
  const { close, origin: url } = await listen(server)
  const waitForRequests = (count: number) =>
    Effect.callback<void>((resume) => {
      const wake = () => {
        if (requests.length >= count) resume(Effect.void)
      }
      waiting.add(wake)
      wake()
      return Effect.sync(() => waiting.delete(wake))
    })
  return { server: { url, requests, waitForRequests }, close }
}

/** Answers with JSON. */
export const sendJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify(body))
}
