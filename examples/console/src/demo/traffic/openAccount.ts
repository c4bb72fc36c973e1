/** The workspaces, budgets and keys that the demo traffic spends from; kept from one start to the next. */
import type { Signalbox } from "@signalbox/core"
import { KeyHash, WorkspaceId } from "@signalbox/core/stores"

/** A key in use. */
export interface TrafficKey {
  readonly secret: string
  readonly hash: KeyHash
  readonly workspace: WorkspaceId
  /** The member who acts; absent for the key of a customer. */
  readonly user?: string
  /** How often it is used, in proportion to the others. */
  readonly weight: number
}

/** A workspace whose daily budget fills up after some hours; then its requests are refused. */
export const research = { slug: "demo-research", name: "Demo: Research" }

/** In USD. */
const workspaces = [
  { slug: "demo-support", name: "Demo: Support", dailyLimit: 100 },
  { ...research, dailyLimit: 1 }
]

const keys = [
  { name: "demo: help desk", user: "ada", workspace: "demo-support", weight: 5, limit: 100 },
  { name: "demo: chat widget", user: "grace", workspace: "demo-support", weight: 3, limit: 75 },
  { name: "demo: notebooks", user: "edsger", workspace: "demo-research", weight: 2, limit: 50 },
  { name: "demo: reports", user: "barbara", workspace: "demo-research", weight: 1, limit: 25 }
]

/** A customer who has paid in advance. */
export const customer = { slug: "demo-lighthouse", name: "Demo: Lighthouse Ltd", bundle: "prepaid" }

type Management = Pick<Signalbox, "customers" | "keys" | "workspaces">

export const openAccount = async (instance: Management): Promise<ReadonlyArray<TrafficKey>> => {
  for (const { dailyLimit, name, slug } of workspaces) {
    const { data } = await instance.workspaces.list({ limit: 100 })
    if (data.some((known) => known.slug === slug)) continue
    await instance.workspaces.create({ name, slug })
    await instance.workspaces.setBudget({
      workspace_ref: slug,
      interval: "daily",
      limit_usd: dailyLimit
    })
  }
  const { data: known } = await instance.keys.list({})
  const opened: Array<TrafficKey> = []
  for (const { limit, name, user, weight, workspace } of keys) {
    const former = known.find((key) => key.name === name)
    // A secret is shown only once, so a key of an earlier start gets a new one.
    const { data, key: secret } =
      former === undefined
        ? await instance.keys.create({
            name,
            limit,
            limit_reset: "monthly",
            workspace_id: workspace,
            creator_user_id: user
          })
        : await instance.keys.rotate({ hash: former.hash })
    opened.push({ secret, weight, user, ...toIds(data) })
  }
  return [...opened, await openCustomer(instance)]
}

const openCustomer = async (instance: Management): Promise<TrafficKey> => {
  const { data } = await instance.customers.create(customer)
  if (data.key_hash === null) throw new Error(`${customer.name} has no key`)
  const { data: key, key: secret } = await instance.keys.rotate({ hash: data.key_hash })
  return { secret, weight: 1, ...toIds(key) }
}

const toIds = (key: { readonly hash: string; readonly workspace_id: string }) => ({
  hash: KeyHash.make(key.hash),
  workspace: WorkspaceId.make(key.workspace_id)
})
