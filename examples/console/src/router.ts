/** The router that every example mounts: upstreams, models and keys, configured by the environment. */
import type { Options } from "@signalbox/core"
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
import { joinModels, listProviders, type ProviderSetup } from "./providers.ts"

const { DATABASE_URL, PORT, SIGNALBOX_DB, SIGNALBOX_LOCAL_WEBHOOKS } = process.env

/** `PORT=0` selects a free port. */
export const port = parsePort(PORT || "3000")

/** Loopback only, because the keys below are public. */
export const host = "127.0.0.1"

export const providerSetups: ReadonlyArray<ProviderSetup> = [
  {
    upstreams: demoUpstreams,
    models: [...demoModels, demoEchoModel, demoToolModel, demoVideoModel]
  },
  ...listProviders(process.env)
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
  models: joinModels(providerSetups),
  keys: [
    { key: "sk-demo-member", kind: "member", user: "demo-user" },
    { key: "sk-demo-organization", kind: "organization" },
    // Administers the account, but runs no models.
    { key: "sk-demo-management", kind: "management" }
  ],
  // What customers of yours may spend; see the guide "Sell it to your customers".
  bundles: { prepaid: { budget: { lifetime: 50 }, models: ["demo/*"] } },
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
