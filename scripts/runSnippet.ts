/** Runs a compiled snippet of the documentation, and checks that its servers serve Signalbox. */
import { once } from "node:events"
import { type AddressInfo, Server } from "node:net"

const servers = new Set<Server>()
const listen = Reflect.get(Server.prototype, "listen") as Listen

type Listen = (this: Server, ...args: ReadonlyArray<unknown>) => Server

// Snippets name fixed ports. A free port avoids conflicts between concurrent runs.
Server.prototype.listen = function (this: Server, ...args: ReadonlyArray<unknown>): Server {
  servers.add(this)
  const listening = args.find((arg) => typeof arg === "function")
  return listen.call(this, { port: 0, host: "127.0.0.1" }, listening)
}

// Some snippets close a server themselves, such as a webhook receiver. Its connections may end later.
const close = Reflect.get(Server.prototype, "close") as Close

type Close = (this: Server, ...args: ReadonlyArray<unknown>) => Server

Server.prototype.close = function (this: Server, ...args: ReadonlyArray<unknown>): Server {
  servers.delete(this)
  return close.call(this, ...args)
}

/** Whether the server has an instance at one of the documented mounts. */
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
  if (!(await checkServer(server)))
    throw new Error("a server of this snippet does not serve Signalbox")
}
// A snippet with a SIGTERM handler must end by itself. A server without one runs until it is killed.
if (process.listenerCount("SIGTERM") > 0) {
  // An interrupted Effect program exits with 130.
  process.once("exit", (code) => {
    if (code === 130) process.exitCode = 0
  })
  process.kill(process.pid, "SIGTERM")
} else if (servers.size > 0) process.exit(0)
