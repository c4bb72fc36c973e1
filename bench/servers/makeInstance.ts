/** Makes the instance of every measured server: three endpoints of one model on one loopback upstream. */
import { Signalbox } from "@signalbox/node"
import { openrouter } from "@signalbox/openrouter"

export const makeInstance = () => {
  const baseUrl = `http://127.0.0.1:${process.env["UPSTREAM_PORT"]}`
  const upstream = (slug: string) =>
    openrouter({ slug, name: slug, baseUrl, apiKey: "sk-bench-upstream" })
  return Signalbox.make({
    upstreams: [upstream("alpha"), upstream("beta"), upstream("gamma")],
    models: [
      {
        id: "bench/judge",
        endpoints: [
          { provider: "alpha", price: { prompt: "0.000001", completion: "0" } },
          { provider: "beta", price: { prompt: "0.000002", completion: "0" } },
          { provider: "gamma", price: { prompt: "0.000003", completion: "0" } }
        ]
      }
    ],
    keys: [{ key: "sk-bench", kind: "member", user: "ada" }]
  })
}
