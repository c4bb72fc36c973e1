/** A server on a free port until the test has finished. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

/** Resolves with its origin. */
export const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Answers every request with this body, once it has arrived. */
export const answer = (status: number, body: string): RequestListener => {
  return (request, response) => {
    request.resume().on("end", () => {
      response.writeHead(status, { "content-type": "application/json" }).end(body)
    })
  }
}
