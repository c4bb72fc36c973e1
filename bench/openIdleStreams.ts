/** Opens streamed chats on connections of their own, which have a first event and stay open. */
import { connect, type Socket } from "node:net"
import { toRequestBytes, workloads } from "./load/workloads.ts"

const request = toRequestBytes(workloads.idle.path, workloads.idle.body)

const openStream = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request))
    let received = ""
    socket.on("error", reject)
    socket.on("close", () => reject(new Error(`closed after ${received.slice(0, 300)}`)))
    socket.on("data", (piece) => {
      if (received.includes("data: ")) return
      received += String(piece)
      if (received.includes("data: ")) resolve(socket)
    })
  })

export const openIdleStreams = async (
  port: number,
  count: number
): Promise<ReadonlyArray<Socket>> => {
  const open: Array<Socket> = []
  while (open.length < count) {
    const batch = Array.from({ length: Math.min(100, count - open.length) }, () => openStream(port))
    open.push(...(await Promise.all(batch)))
  }
  return open
}
