/** A separate process with an instance whose rate limits are in the Redis of its argument; `close` ends it. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { signalbox, Signalbox } from "@signalbox/node"
import { redisRateLimits } from "@signalbox/redis"
import { commonLimit, makeKeys, ownLimit } from "./rateLimitedKeys.ts"

const [, , url = ""] = process.argv

const instance = await Signalbox.make({
  upstreams: [],
  models: [],
  keys: [
    ...makeKeys("common").map((key) => ({ key, kind: "organization" as const })),
    ...makeKeys("own").map((key) => ({ key, kind: "organization" as const, rateLimit: ownLimit }))
  ],
  rateLimits: redisRateLimits({ url }),
  // Longer than the machine of a test may keep a process waiting for its turn.
  settings: { rateLimit: commonLimit, rateLimitTimeoutMillis: 1_000 }
})
const server = createServer(signalbox(instance)).listen(0, "127.0.0.1", () => {
  process.send?.((server.address() as AddressInfo).port)
})
await once(process, "message")
server.close()
server.closeAllConnections()
await instance.close()
// Nothing else is closed, so anything the instance leaves open keeps the process alive.
process.disconnect?.()
