/** Interns that are hired, asked, suspended and dismissed. */
import { AccountId, defaultWorkspaceId, type Intern, InternStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Exchange, Question } from "../Client.ts"
import { findId } from "../findId.ts"
import { asks, pickProcess } from "../questions.ts"
import { lastRequestAt } from "../script.ts"
import { keyLimitNano, type Tenant, tenants } from "../Tenant.ts"
import type { World } from "../World.ts"
import type { Feature } from "./Feature.ts"

/** The key of a person of the tenant, since interns belong to people. */
const memberKey = ({ account }: Tenant): string => `sk-${account}-member`

export const interns: Feature = {
  share: 0.1,
  options: {
    keys: tenants.map((tenant) => ({
      key: memberKey(tenant),
      kind: "member" as const,
      user: `person-${tenant.account}`,
      account: tenant.account,
      limit: Number(2n * keyLimitNano) / 1e9
    })),
    settings: {
      internPrepareTimeoutMillis: 3_000,
      internCreateTimeoutMillis: 12_000,
      internStepTimeoutMillis: 4_000,
      internRequestTimeoutMillis: 12_000,
      internChatTimeoutMillis: 20_000
    }
  },
  plan: (world) => {
    const { chance, director, house } = world
    const hires = chance.between(1, 2)
    for (let hire = 1; hire <= hires; hire++) planIntern(world, chance.pick(tenants), hire)
    if (chance.happens(0.25)) return
    house.failureRate = chance.pick([0, 0.1, 0.3])
    house.hangRate = chance.pick([0, 0.1])
    director.schedule(lastRequestAt, "the house recovers", () => {
      house.failureRate = 0
      house.hangRate = 0
    })
  },
  isSettled: async (world) => (await listInterns(world)).every(isAtRest)
}

/** Hired by several requests at about the same time, asked, and perhaps dismissed. */
const planIntern = (world: World, tenant: Tenant, hire: number): void => {
  const { chance, client, director } = world
  const at = chance.between(3_000, 8_000)
  const question: Question = {
    ...asks(memberKey(tenant), "hire", tenant),
    path: "/interns",
    headers: { "idempotency-key": `hire-${hire}` },
    body: { name: `intern-${hire}`, workspace_id: defaultWorkspaceId, provision: true }
  }
  const sent: Array<Exchange> = []
  for (let requests = chance.between(1, 3); requests > 0; requests--) {
    director.schedule(at + chance.between(0, 2_000), "hires", () => {
      const process = pickProcess(world)
      if (process !== undefined) sent.push(client.send(process, () => question))
    })
  }
  const later = (from: number, what: string, ask: (path: string, id: string) => Question): void => {
    director.schedule(chance.between(from, lastRequestAt), what, () => {
      const process = pickProcess(world)
      const intern = sent.map(({ text }) => findId(text)).find((found) => found !== "")
      if (process === undefined || intern === undefined) return
      client.send(process, (id) => ask(`/interns/${intern}`, id))
    })
  }
  for (let turns = chance.between(3, 6); turns > 0; turns--) {
    const asking = chance.happens(0.9) ? tenant : chance.pick(tenants)
    later(at + 4_000, "asks an intern", (path, id) => ({
      ...asks(memberKey(asking), "turn", asking),
      path: `${path}/chat/completions`,
      body: {
        stream: true,
        session_id: `session-${hire}`,
        messages: [{ role: "user", content: `${id} of ${asking.account} in a turn` }]
      }
    }))
  }
  const change = (kind: "dismiss" | "manage", method: "DELETE" | "POST", suffix: string) =>
    later(at + 10_000, `changes an intern${suffix}`, (path) => ({
      ...asks(memberKey(tenant), kind, tenant),
      method,
      path: `${path}${suffix}`
    }))
  if (chance.happens(0.3)) {
    change("manage", "POST", "/suspend")
    change("manage", "POST", "/provision")
  }
  if (chance.happens(0.4)) change("dismiss", "DELETE", "")
}

export const listInterns = async (world: World): Promise<ReadonlyArray<Intern>> => {
  const store = Context.get(world.stores, InternStore)
  const pages = await world.query(
    Effect.forEach(tenants, ({ account }) =>
      store.list(AccountId.make(account), { workspace: defaultWorkspaceId }, { limit: 100 })
    )
  )
  return pages.flatMap(({ rows }) => rows)
}

/** Nothing more happens to it by itself. */
export const isAtRest = ({ creation, status }: Intern): boolean =>
  creation.isReady && status !== "queued" && status !== "provisioning" && status !== "destroying"
