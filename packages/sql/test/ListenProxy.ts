/** A proxy to Postgres that can cut or silence listening connections. */
import { createServer, connect, type Socket } from "node:net"
import { once } from "node:events"

export interface ListenProxy {
  readonly url: string
  /** Closes the listening connections. */
  readonly cut: () => void
  /** Stops forwarding to listening connections, as a dead network would. */
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
  const proxied = new URL(url)
  proxied.hostname = "127.0.0.1"
  proxied.port = String(typeof address === "object" ? address?.port : "")
  return {
    url: proxied.href,
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
