/** How many of each thing accounts and workspaces may have, as the settings say. */
import type { SettingsShape } from "../Settings.ts"
import type { Quota } from "../values/withinQuota.ts"

type Counted = "Members" | "Keys" | "Guardrails" | "Credentials" | "Interns" | "Secrets"

const both = (what: string, name: Counted, settings: SettingsShape): Quota => {
  const account = `max${name}PerAccount` as const
  const workspace = `max${name}PerWorkspace` as const
  return {
    what,
    account: { most: settings[account], setting: account },
    workspace: { most: settings[workspace], setting: workspace }
  }
}

export const quotasOf = (settings: SettingsShape) => ({
  workspaces: {
    what: "workspaces",
    account: { most: settings.maxWorkspacesPerAccount, setting: "maxWorkspacesPerAccount" }
  } satisfies Quota,
  members: both("members", "Members", settings),
  keys: both("API keys", "Keys", settings),
  guardrails: both("guardrails", "Guardrails", settings),
  credentials: both("provider credentials", "Credentials", settings),
  interns: both("interns", "Interns", settings),
  secrets: both("secrets", "Secrets", settings)
})
