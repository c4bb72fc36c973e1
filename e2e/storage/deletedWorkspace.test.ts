/** What the deletion of a workspace removes in a process that has served nothing else. */
import { Signalbox } from "@signalbox/node"
import { sqlite } from "@signalbox/sql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"

const sealing = { current: "k", keys: { k: "a sealing key that is hard to guess, for tests" } }

test.each([
  ["of the same options", { sealing, alerts: {} }],
  ["without secrets and alerts", {}]
])(
  "a process %s that has just started removes all resources of a workspace",
  async (_, options) => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const start = (options: Partial<Parameters<typeof Signalbox.make>[0]>) =>
      Signalbox.make({
        ...options,
        upstreams: [],
        models: [],
        stores: sqlite({ path: join(folder, "signalbox.db") })
      })

    const first = await start({ sealing, alerts: {} })
    const { data } = await first.workspaces.create({ name: "Short-lived", slug: "short-lived" })
    const workspace_id = data.id
    await first.guardrails.create({ workspace_id, name: "strict" })
    await first.savedViews.create({ workspace_id, name: "slow" })
    await first.alertRules.create({ workspace_id, name: "most", thresholds: [{ percent: 80 }] })
    await first.webhooks.set({ id: workspace_id, callback_url: "https://receiver.example.com/" })
    await first.vaults.put(
      { name: "token", hosts: ["api.example.com"], value: "s3cret" },
      { caller: { workspace: workspace_id } }
    )
    await first.close()

    const second = await start(options)
    onTestFinished(() => second.close())
    await second.workspaces.delete({ id: workspace_id })
    const { data: entries } = await second.audit.list({})
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        "guardrail.delete",
        "saved_view.delete",
        "alert_rule.delete",
        "webhook.delete",
        "vault.close"
      ])
    )
  }
)
