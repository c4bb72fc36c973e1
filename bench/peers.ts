/**
 * Compares a chat through Signalbox with the same chat through Portkey's gateway: the same client, upstream and load, one
 * core each. Prints throughput, CPU and p99 of both. `peers/README.md` says how to install the gateway.
 *
 * Usage: node bench/peers.ts [rounds] [seconds per round] [requests of warm-up] [connections]
 */
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { createServer, connect } from "node:net"
import { join, resolve } from "node:path"
import { report, warmUpRequests } from "./goals.ts"
import {
  compareServers,
  type Server,
  serverCore,
  startLoadBench,
  startServer
} from "./load/compareServers.ts"
import { Program } from "./Program.ts"

const [rounds = 7, seconds = 2, warmUp = warmUpRequests, connections = 16] = process.argv
  .slice(2)
  .map(Number)
const folder = resolve(process.env["PEERS"] ?? join(import.meta.dirname, "peers"))
const gateway = join(folder, "node_modules/@portkey-ai/gateway")
if (!existsSync(gateway)) {
  console.log("Portkey's gateway is not installed. Install it with: npm ci --prefix bench/peers")
  process.exit(1)
}

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Until the port accepts connections. */
const waitFor = async (port: number): Promise<void> => {
  for (;;) {
    const socket = connect({ port, host: "127.0.0.1" })
    const isUp = await once(socket, "connect").then(
      () => true,
      () => false
    )
    socket.destroy()
    if (isUp) return
    await new Promise((wake) => setTimeout(wake, 100))
  }
}

const startPortkey = async (upstreamPort: number): Promise<Server> => {
  const port = await findFreePort()
  const program = await Program.start<{ readonly port: number }>(
    join(gateway, "build/start-server.js"),
    {
      core: serverCore,
      flags: ["--import", join(import.meta.dirname, "load/reportCpu.mjs")],
      args: [`--port=${port}`, "--headless"]
    }
  )
  await waitFor(port)
  return {
    name: "portkey",
    program,
    target: {
      path: "/v1/chat/completions",
      headers: {
        authorization: "Bearer sk-bench-upstream",
        "x-portkey-provider": "openai",
        "x-portkey-custom-host": `http://127.0.0.1:${upstreamPort}/v1`
      }
    }
  }
}

const bench = await startLoadBench()
const portkey = await startPortkey(bench.upstream.hello.port)
const signalbox = await startServer("signalbox-node", bench)
const comparison = await compareServers(
  bench,
  [portkey, signalbox],
  { workload: "chat", connections },
  { rounds, seconds, warmUp }
)
for (const { program } of [portkey, signalbox]) await program.stop()
await bench.stop()

const { version } = JSON.parse(readFileSync(join(gateway, "package.json"), "utf8")) as {
  readonly version: string
}
console.table(
  Object.entries({
    [`Portkey ${version}`]: comparison.base,
    Signalbox: comparison.measured
  }).map(([name, { cpuMicros, p99, perSecond }]) => ({
    gateway: name,
    "chats/s": Math.round(perSecond),
    "CPU us/chat": Math.round(cpuMicros),
    "p99 ms": p99.toFixed(1)
  }))
)
report(
  { goal: "peerThroughput", value: comparison.throughput },
  { goal: "peerCpu", value: comparison.cpu }
)
