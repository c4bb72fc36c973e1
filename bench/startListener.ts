/** Starts an upstream in the process of the load, so that the measured server has its own core. */
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"

export const startListener = async (listener: RequestListener) => {
  const server = createServer(listener)
  server.keepAliveTimeout = 60_000
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("not listening on a port")
  return {
    port: address.port,
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
