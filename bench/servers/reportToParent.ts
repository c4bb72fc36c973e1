/** Reports the port of a measured server to its parent process, and its CPU time on request. */
import type { AddressInfo } from "node:net"

export const reportToParent = (address: AddressInfo | string | null | undefined): void => {
  if (typeof address !== "object" || address === null) throw new Error("not listening on a port")
  process.send?.({ port: address.port })
  process.on("message", () => {
    const { system, user } = process.cpuUsage()
    process.send?.({ cpuMicros: system + user })
  })
}
