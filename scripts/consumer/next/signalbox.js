/** One instance for all routes of the process. */
import { openai } from "@signalbox/openai"
import { Signalbox } from "@signalbox/web"

export const model = "author/writer"

export const makeInstance = () =>
  (globalThis.signalbox ??= Signalbox.make({
    upstreams: [openai({ apiKey: "sk-none", baseUrl: process.env.UPSTREAM_URL })],
    models: [{ id: model, endpoints: [{ provider: "openai", price: {}, contextLength: 9_000 }] }],
    keys: [{ key: "sk-consumer", kind: "member", user: "consumer" }]
  }))
