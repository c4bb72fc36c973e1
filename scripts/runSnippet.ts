/** Runs a compiled snippet of the documentation as its reader would, and tries what it serves. */
import { once } from "node:events"
import { type AddressInfo, Server } from "node:net"

const servers = new Set<Server>()
const listen = Reflect.get(Server.prototype, "listen") as Listen

type Listen = (this: Server, ...args: ReadonlyArray<unknown>) => Server

// The ports in the documentation are the reader's; here any free one does.
Server.prototype.listen = function (this: Server, ...args: ReadonlyArray<unknown>): Server {
  servers.add(this)
  // One that the snippet is done with itself, such as a receiver of events.
  this.once("close", () => servers.delete(this))
  const listening = args.find((arg) => typeof arg === "function")
  return listen.call(this, { port: 0, host: "127.0.0.1" }, listening)
}

/** A mounted box answers with its OpenAPI document. */
const checkServer = async (server: Server): Promise<boolean> => {
  if (!server.listening) await once(server, "listening")
  const { port } = server.address() as AddressInfo
  for (const mount of ["/ai", ""]) {
    const headers = { connection: "close" }
    const url = `http://127.0.0.1:${port}${mount}/api/v1/openapi.json`
    const response = await fetch(url, { headers })
    if (response.ok && ((await response.json()) as object).hasOwnProperty("openapi")) return true
  }
  return false
}

await import(process.argv[2] ?? "")
for (const server of servers) {
  if (!(await checkServer(server))) throw new Error("a server of this snippet does not serve a box")
}
// What stops on a signal must stop by itself; what runs for good is not waited for.
if (process.listenerCount("SIGTERM") > 0) {
  // An Effect program that was interrupted says so with its exit code.
  process.once("exit", (code) => {
    if (code === 130) process.exitCode = 0
  })
  process.kill(process.pid, "SIGTERM")
} else if (servers.size > 0) process.exit(0)
