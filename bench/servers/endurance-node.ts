/** Signalbox in node:http for many open streams beside other traffic; reports its heap, its event loop and what it dropped. */
import { createServer } from "node:http"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { signalbox } from "@signalbox/node"
import { makeInstance } from "./makeInstance.ts"

/** What the server was since it was last asked. */
export interface EnduranceSample {
  readonly heapBytes: number
  readonly rssBytes: number
  readonly loopP99Millis: number
  readonly loopMaxMillis: number
  /** Records and usage that no longer fitted in a queue, since the start. */
  readonly dropped: number
}

const instance = await makeInstance({
  keys: [{ key: "sk-bench-management", kind: "management" }],
  settings: {
    maxGenerations: 500,
    maxAuditEntriesPerAccount: 100,
    maxUpstreamConnections: 20_000,
    streamIdleTimeoutMillis: 3_600_000
  }
})
const loop = monitorEventLoopDelay({ resolution: 10 })
loop.enable()

/** Needs `--expose-gc`. The collection itself holds up the event loop, so its delay is read before. */
const measure = async (): Promise<EnduranceSample> => {
  const [loopP99Millis, loopMaxMillis] = [loop.percentile(99) / 1e6, loop.max / 1e6]
  globalThis.gc?.({ execution: "sync", flavor: "last-resort", type: "major" })
  const { heapUsed, rss } = process.memoryUsage()
  const { queues, storage } = await instance.health()
  const dropped = [...Object.values(queues).flat(), ...storage.queues].reduce(
    (sum, queue) => sum + queue.dropped,
    0
  )
  loop.reset()
  return { heapBytes: heapUsed, rssBytes: rss, loopP99Millis, loopMaxMillis, dropped }
}

process.on("message", () => void measure().then((sample) => process.send?.(sample)))
process.on("disconnect", () => process.exit())
const server = createServer(signalbox(instance))
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.({ port: typeof address === "object" ? address?.port : undefined })
})
