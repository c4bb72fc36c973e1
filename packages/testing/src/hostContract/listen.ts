/** Starts a Node server as a host. */
import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { RunningHost } from "./HostHarness.ts"

/** Listens on a free port of 127.0.0.1. */
export const listen = async (server: Server): Promise<RunningHost> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    }
  }
}
