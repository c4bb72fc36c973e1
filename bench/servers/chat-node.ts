/** Signalbox in node:http, with one loopback chat upstream. */
import { createServer } from "node:http"
import { Signalbox, signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { reportToParent } from "./reportToParent.ts"

const instance = await Signalbox.make({
  upstreams: [
    openai({
      slug: "alpha",
      name: "Alpha",
      baseUrl: `http://127.0.0.1:${process.env["UPSTREAM_PORT"]}/v1`,
      apiKey: "sk-bench-upstream"
    })
  ],
  models: ["bench/talker", "bench/slow"].map((id) => ({
    id,
    endpoints: [{ provider: "alpha", price: { prompt: "0.000001", completion: "0.000002" } }]
  })),
  keys: [{ key: "sk-bench", kind: "member", user: "ada" }]
})
const server = createServer(signalbox(instance))
server.listen(0, "127.0.0.1", () => reportToParent(server.address()))
