/** A separate process with an instance whose rate limits are in the Redis given as an argument; `close` ends it. */
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
  // Longer than a busy machine may delay the process.
  settings: { rateLimit: commonLimit, rateLimitTimeoutMillis: 1_000 }
})
const server = createServer(signalbox(instance)).listen(0, "127.0.0.1", () => {
  process.send?.((server.address() as AddressInfo).port)
})
await once(process, "message")
server.close()
server.closeAllConnections()
await instance.close()
// Only the instance and the server are closed, so a resource that the instance leaves open keeps the process alive.
process.disconnect?.()
