/** A way to Postgres on which the connections that listen can be cut, or fall silent. */
import { createServer, connect, type Socket } from "node:net"
import { once } from "node:events"

export interface ListenProxy {
  readonly url: string
  /** Ends the connections that listen. */
  readonly cut: () => void
  /** Lets nothing through to those that listen, as a network does that lost them. */
  readonly silence: () => void
  readonly countListening: () => number
  readonly close: () => void
}

export const startListenProxy = async (url: string): Promise<ListenProxy> => {
  const target = new URL(url)
  const listening = new Map<Socket, Socket>()
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on("error", () => socket.destroy())
      socket.on("close", () => {
        open.delete(socket)
        listening.delete(client)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on("data", (chunk) => {
      if (chunk.includes("LISTEN ")) listening.set(client, upstream)
      upstream.write(chunk)
    })
    upstream.pipe(client)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const through = new URL(url)
  through.hostname = "127.0.0.1"
  through.port = String(typeof address === "object" ? address?.port : "")
  return {
    url: through.href,
    cut: () => {
      for (const client of listening.keys()) client.destroy()
    },
    silence: () => {
      for (const [client, upstream] of listening) upstream.unpipe(client).resume()
    },
    countListening: () => listening.size,
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    }
  }
}
