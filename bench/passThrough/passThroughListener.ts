/** A hand-written pass-through on `node:http`. */
import type { RequestListener, ServerResponse } from "node:http"
import { makeForward, type Passed } from "./makeForward.ts"

export const passThroughListener = (origin: string): RequestListener => {
  const forward = makeForward(origin)
  return (request, response) => {
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const body: unknown = JSON.parse(Buffer.concat(pieces).toString())
      void forward(request.url ?? "/", request.headers.authorization, body).then(write(response))
    })
  }
}

/** Also works for Express, whose responses are Node's. */
export const write =
  (response: ServerResponse) =>
  ({ body, status, type }: Passed): void => {
    response.writeHead(status, { "content-type": type })
    if (typeof body === "string") response.end(body)
    else body.pipe(response)
  }
