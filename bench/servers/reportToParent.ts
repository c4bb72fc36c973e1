/** Reports the port of a measured server to its parent process, and on request its CPU time or its heap. */
import type { AddressInfo } from "node:net"

export const reportToParent = (address: AddressInfo | string | null | undefined): void => {
  if (typeof address !== "object" || address === null) throw new Error("not listening on a port")
  process.on("message", (message) => {
    process.send?.(message === "heap" ? measureHeap() : measureCpu())
  })
  process.on("disconnect", () => process.exit())
  process.send?.({ port: address.port })
}

const measureCpu = () => {
  const { system, user } = process.cpuUsage()
  return { cpuMicros: system + user }
}

/** Needs `--expose-gc`. Of the last resort, because other collections keep code that V8 may need again. */
const measureHeap = () => {
  globalThis.gc?.({ execution: "sync", flavor: "last-resort", type: "major" })
  const { heapUsed, rss } = process.memoryUsage()
  return { heapBytes: heapUsed, rssBytes: rss }
}
