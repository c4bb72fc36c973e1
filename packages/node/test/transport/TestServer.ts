/** Local servers that count connections and requests. */
import { createServer, type RequestListener } from "node:http"
import * as net from "node:net"
import { once } from "node:events"
import { onTestFinished } from "vitest"

export interface TestServer {
  readonly url: string
  readonly connections: () => number
  /** The most connections at once. */
  readonly maxConnections: () => number
  readonly requests: () => number
  /** Resolves when a connection has closed. */
  readonly closed: Promise<void>
}

export const startTestServer = async (respond: RequestListener): Promise<TestServer> => {
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    respond(request, response)
  })
  return serve(server, () => requests)
}

/** Each chunk of bytes that arrives on a connection counts as a request. */
export const startRawServer = async (
  speak: (socket: net.Socket, received: string) => void
): Promise<TestServer> => {
  let requests = 0
  const server = net.createServer((socket) => {
    socket.on("error", () => undefined)
    socket.on("data", (bytes) => {
      requests++
      speak(socket, bytes.toString())
    })
  })
  return serve(server, () => requests)
}

const serve = async (server: net.Server, requests: () => number): Promise<TestServer> => {
  let connections = 0
  let open = 0
  let most = 0
  const closed = Promise.withResolvers<void>()
  const sockets = new Set<net.Socket>()
  server.on("connection", (socket: net.Socket) => {
    connections++
    sockets.add(socket)
    most = Math.max(most, ++open)
    socket.once("close", () => {
      open--
      sockets.delete(socket)
      closed.resolve()
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("it listens nowhere")
  return {
    url: `http://127.0.0.1:${address.port}`,
    connections: () => connections,
    maxConnections: () => most,
    requests,
    closed: closed.promise
  }
}
