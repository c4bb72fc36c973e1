import { randomInt } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:net"

/** Below the ports that systems give to clients (Linux from 32,768), one of which may take a port before a server listens. */
const firstPort = 20_000
const portCount = 12_000

export const findFreePort = async (): Promise<number> => {
  for (;;) {
    const port = firstPort + randomInt(portCount)
    const probe = createServer()
    try {
      probe.listen(port, "127.0.0.1")
      await once(probe, "listening")
      return port
    } catch (cause) {
      if (!isPortInUse(cause)) throw cause
    } finally {
      probe.close()
    }
  }
}

const isPortInUse = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE"
