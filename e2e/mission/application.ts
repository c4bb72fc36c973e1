/** An application with a router and its console, as its authors would write it: Express, and SQLite or Postgres. */
import type { AddressInfo } from "node:net"
import { consoleRoutes } from "@signalbox/console"
import { signalbox } from "@signalbox/express"
import { fileBlobs, Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import { postgres, sqlite } from "@signalbox/sql"
import express from "express"
import { machines } from "./machines.ts"

const { DATABASE_SCHEMA = "signalbox", DATABASE_URL, FOLDER = "." } = process.env
const { EAST_URL, MACHINES_URL = "", STUDIO_URL, WEST_URL } = process.env

const studio = openrouter({
  slug: "studio",
  name: "Studio",
  baseUrl: STUDIO_URL,
  apiKey: "sk-of-studio",
  idempotencyHeader: "idempotency-key"
})

/** The price of a request. */
const cent = { prompt: "0", completion: "0", request: "0.01" }

const instance = await Signalbox.make({
  stores:
    DATABASE_URL === undefined
      ? sqlite({ path: `${FOLDER}/signalbox.db` })
      : postgres({ url: DATABASE_URL, schema: DATABASE_SCHEMA }),
  upstreams: [
    openrouter({ slug: "east", name: "East", baseUrl: EAST_URL, apiKey: "sk-of-east" }),
    openai({ slug: "west", name: "West", baseUrl: `${WEST_URL}/v1`, apiKey: "sk-of-west" }),
    // Runs on the credentials of customers alone.
    openrouter({ slug: "vendor", name: "Vendor", baseUrl: WEST_URL, apiKey: null }),
    // Its films are short.
    { ...studio, videos: { ...studio.videos!, pollIntervalMillis: 200 } }
  ],
  models: [
    {
      id: "acme/writer",
      endpoints: [
        { provider: "east", price: cent },
        { provider: "west", price: cent, supportedParameters: ["structured_outputs"] }
      ]
    },
    { id: "acme/own", endpoints: [{ provider: "vendor", price: cent }] },
    {
      id: "acme/film",
      card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
      endpoints: [{ provider: "studio", price: {}, videoPrice: { duration_seconds: "0.1" } }]
    }
  ],
  keys: [
    { key: "sk-ada", kind: "member", user: "ada" },
    { key: "sk-operations", kind: "management" }
  ],
  credits: { default: "100" },
  sealing: { current: "2026", keys: { 2026: "a sealing key that nobody is going to guess" } },
  interns: { host: machines(MACHINES_URL) },
  videoFiles: fileBlobs(`${FOLDER}/films`),
  // Webhooks go to this machine.
  settings: { allowPrivateNetworks: true }
})

const app = express()
app.use("/ai", signalbox(instance))
app.use(
  "/console",
  signalbox(
    consoleRoutes(instance, {
      authorize: ({ headers }) => (headers["x-admin"] === "yes" ? { user: "ada" } : null)
    })
  )
)
app.get("/", (_request, response) => {
  response.send("a page of the application")
})
const server = app.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo
  console.log(`listening on http://127.0.0.1:${port}`)
})
