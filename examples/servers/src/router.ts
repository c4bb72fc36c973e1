/** What every server of this folder mounts: upstreams, models and keys, by this process's environment. */
import type { ModelConfig, Options } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { openai, parameterLists } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import { postgres, sqlite } from "@signalbox/sql"
import {
  demoEchoUpstream,
  demoToolModel,
  demoVideoModel,
  demoModels,
  demoToolUpstream,
  demoEchoModel,
  demoVideoUpstream,
  demoUpstreams
} from "./demo/demo.ts"
import { withAttemptLog } from "./demo/withAttemptLog.ts"
import { parsePort } from "./host/parsePort.ts"

const {
  DATABASE_URL,
  OPENAI_API_KEY,
  OPENROUTER_API_KEY,
  PORT,
  SIGNALBOX_DB,
  SIGNALBOX_LOCAL_WEBHOOKS
} = process.env

/** `PORT=0` takes any free port. */
export const port = parsePort(PORT || "3000")

/** This machine only: the keys below are public. */
export const host = "127.0.0.1"

/** Models that come together, with the upstreams that serve them. */
export interface ProviderSetup {
  readonly upstreams: ReadonlyArray<Upstream>
  readonly models: ReadonlyArray<ModelConfig>
  /** The environment variable that brings them. */
  readonly key?: string
}

/** USD per token as listed in November 2026; what an upstream itself says a call cost wins. */
const makeOpenaiSetup = (apiKey: string): ProviderSetup => ({
  key: "OPENAI_API_KEY",
  upstreams: [openai({ apiKey })],
  models: [
    {
      id: "openai/gpt-6-luna",
      endpoints: [
        {
          provider: "openai",
          model: "gpt-6-luna",
          price: { prompt: "0.0000001", completion: "0.0000005" },
          // Longer prompts are served, at twice the price.
          contextLength: 272_000,
          supportedParameters: parameterLists.openaiReasoning
        }
      ]
    },
    {
      // Shuts down on 2027-01-14. Its probabilities are read from logprobs, not stated.
      id: "openai/gpt-4o-mini",
      endpoints: [
        {
          provider: "openai",
          model: "gpt-4o-mini",
          price: { prompt: "0.00000015", completion: "0.0000006" },
          contextLength: 128_000,
          supportedParameters: parameterLists.openai
        }
      ]
    }
  ]
})

/** Models made for decisions; they charge for input alone. */
const makeOpenrouterSetup = (apiKey: string): ProviderSetup => ({
  key: "OPENROUTER_API_KEY",
  upstreams: [openrouter({ apiKey })],
  models: [
    {
      id: "typesafe/jev-1.13",
      endpoints: [
        {
          provider: "openrouter",
          price: { prompt: "0.000000042", completion: "0" },
          contextLength: 32_000
        }
      ]
    },
    {
      id: "inception/mercury-decide",
      endpoints: [
        {
          provider: "openrouter",
          price: { prompt: "0.00000002", completion: "0" },
          contextLength: 65_536
        }
      ]
    }
  ]
})

export const providerSetups: ReadonlyArray<ProviderSetup> = [
  {
    upstreams: demoUpstreams,
    models: [...demoModels, demoEchoModel, demoToolModel, demoVideoModel]
  },
  ...(OPENAI_API_KEY ? [makeOpenaiSetup(OPENAI_API_KEY)] : []),
  ...(OPENROUTER_API_KEY ? [makeOpenrouterSetup(OPENROUTER_API_KEY)] : [])
]

export const options: Options = {
  // A file is for one process, which is enough to try things; Postgres for as many as there are.
  stores: DATABASE_URL
    ? postgres({ url: DATABASE_URL })
    : sqlite({ path: SIGNALBOX_DB || "./signalbox.db" }),
  upstreams: [
    ...providerSetups.flatMap(({ upstreams }) => upstreams).map(withAttemptLog),
    demoVideoUpstream,
    demoEchoUpstream,
    demoToolUpstream
  ],
  models: providerSetups.flatMap(({ models }) => models),
  keys: [
    { key: "sk-demo-member", kind: "member", user: "demo-user" },
    { key: "sk-demo-organization", kind: "organization" },
    // Administers and runs no models.
    { key: "sk-demo-management", kind: "management" }
  ],
  // Who chats or makes an intern and names no model gets this one.
  workspaceDefaults: { defaultTextModel: "demo/parrot-1" },
  // An intern is reached at `<name>-<its id>.interns.localhost`, a name that curl and browsers take for this machine.
  interns: { domain: "interns.localhost" },
  // Events may go to a receiver on this machine; a service that others can reach leaves this alone.
  settings: {
    allowPrivateNetworks: SIGNALBOX_LOCAL_WEBHOOKS === "1",
    // The items of the feed of models link to pages below it.
    publicUrl: `http://${host}:${port}`
  },
  // Seals the credentials customers bring. Yours comes from your secret store, not from your sources.
  sealing: { current: "demo", keys: { demo: "a public sealing key that seals nothing real" } }
}
