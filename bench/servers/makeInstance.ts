/** The instance of every measured server: Decisions, chats and speech on the upstream at `UPSTREAM_PORT`. */
import { type Options, Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import { chatModels, voiceModel } from "../load/workloads.ts"

/** `more` adds keys and settings. */
export const makeInstance = ({
  keys = [],
  settings = {},
  ...more
}: Pick<Options, "keys" | "responseCache" | "settings"> = {}) => {
  const baseUrl = `http://127.0.0.1:${process.env["UPSTREAM_PORT"]}`
  const apiKey = "sk-bench-upstream"
  const contextLength = 128_000
  const slugs = ["alpha", "beta", "gamma"]
  return Signalbox.make({
    ...more,
    upstreams: [
      ...slugs.map((slug) => openrouter({ slug, name: slug, baseUrl, apiKey })),
      openai({ slug: "delta", name: "delta", baseUrl: `${baseUrl}/v1`, apiKey })
    ],
    models: [
      {
        id: "bench/judge",
        endpoints: slugs.map((provider, index) => ({
          provider,
          contextLength,
          price: { prompt: `0.00000${index + 1}`, completion: "0" }
        }))
      },
      { id: voiceModel, endpoints: [{ provider: "delta", price: { character: "0.000015" } }] },
      ...chatModels.map((id) => ({
        id,
        endpoints: [
          {
            provider: "delta",
            contextLength,
            price: { prompt: "0.000001", completion: "0.000002" }
          }
        ]
      }))
    ],
    keys: [{ key: "sk-bench", kind: "member", user: "ada" }, ...keys],
    settings
  })
}
