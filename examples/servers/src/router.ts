/** The router that every example mounts: upstreams, models and keys, configured by the environment. */
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

/** `PORT=0` selects a free port. */
export const port = parsePort(PORT || "3000")

/** Loopback only, because the keys below are public. */
export const host = "127.0.0.1"

/** Models with the upstreams that serve them. */
export interface ProviderSetup {
  readonly upstreams: ReadonlyArray<Upstream>
  readonly models: ReadonlyArray<ModelConfig>
  /** The environment variable that enables them. */
  readonly key?: string
}

/** USD per token, as of November 2026. A cost that the upstream reports takes precedence. */
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
          // Longer prompts would cost twice the price.
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

/** Models for Decisions, which charge only for input. */
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
  // SQLite is for one process, Postgres for any number.
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
    // Administers the account, but runs no models.
    { key: "sk-demo-management", kind: "management" }
  ],
  // The model of chats and interns without a model.
  workspaceDefaults: { defaultTextModel: "demo/parrot-1" },
  // Hostnames are `<name>-<id>.interns.localhost`, which curl and browsers resolve to loopback.
  interns: { domain: "interns.localhost" },
  // Allows a webhook receiver on this machine. Never set it for a public service.
  settings: {
    allowPrivateNetworks: SIGNALBOX_LOCAL_WEBHOOKS === "1",
    // The base of links in the models feed.
    publicUrl: `http://${host}:${port}`
  },
  // Seals customers' credentials. Load your key from a secret store, not from your sources.
  sealing: { current: "demo", keys: { demo: "a public sealing key that seals nothing real" } }
}
