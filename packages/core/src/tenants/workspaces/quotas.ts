/** The quotas of accounts and workspaces, from the settings. */
import type { SettingsShape } from "../../instance/Settings.ts"
import type { Quota } from "../../values/enforceQuota.ts"

/** The resources with settings for both quotas. */
type QuotaResource<Name = keyof SettingsShape> = Name extends `max${infer Resource}PerWorkspace`
  ? Resource
  : never

const makeQuota = (what: string, name: QuotaResource, settings: SettingsShape): Quota => {
  const account = `max${name}PerAccount` as const
  const workspace = `max${name}PerWorkspace` as const
  return {
    what,
    account: { most: settings[account], setting: account },
    workspace: { most: settings[workspace], setting: workspace }
  }
}

export const toQuotas = (settings: SettingsShape) => ({
  workspaces: {
    what: "workspaces",
    account: { most: settings.maxWorkspacesPerAccount, setting: "maxWorkspacesPerAccount" }
  } satisfies Quota,
  authCodes: {
    what: "codes that are not exchanged",
    account: { most: settings.maxAuthCodesPerAccount, setting: "maxAuthCodesPerAccount" }
  } satisfies Quota,
  members: makeQuota("members", "Members", settings),
  keys: makeQuota("API keys", "Keys", settings),
  guardrails: makeQuota("guardrails", "Guardrails", settings),
  budgets: makeQuota("budgets of tags, models, providers and users", "Budgets", settings),
  credentials: makeQuota("provider credentials", "Credentials", settings),
  interns: makeQuota("interns", "Interns", settings),
  secrets: makeQuota("secrets", "Secrets", settings),
  alertRules: makeQuota("alert rules", "AlertRules", settings),
  savedViews: makeQuota("saved views", "SavedViews", settings),
  presets: makeQuota("presets", "Presets", settings)
})
