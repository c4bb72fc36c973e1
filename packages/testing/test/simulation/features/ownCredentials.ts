/** Credentials of the tenants themselves, so that providers bill them and not the host. */
import { asks, makeChat, pickProcess } from "../questions.ts"
import { lastRequestAt } from "../script.ts"
import { keyLimitNano, type Tenant, tenants } from "../Tenant.ts"
import type { World } from "../World.ts"
import type { Feature } from "./Feature.ts"
import { sealing } from "./sealing.ts"

/** A key whose limit counts calls on a credential of its tenant, too. */
const allCountingKey = ({ account }: Tenant): string => `sk-${account}-all`

/** The tenant is part of the secret, so that a provider knows whose it is. */
export const toCredential = (account: string, provider: string): string =>
  `own-${account}-${provider}`

const [north, south] = tenants

export const ownCredentials: Feature = {
  share: 0.1,
  options: {
    sealing,
    credentials: [
      { account: north.account, provider: "acme", key: toCredential(north.account, "acme") },
      {
        account: south.account,
        provider: "globex",
        key: toCredential(south.account, "globex"),
        is_fallback: true
      }
    ],
    keys: tenants.map((tenant) => ({
      key: allCountingKey(tenant),
      kind: "organization" as const,
      account: tenant.account,
      limit: Number(keyLimitNano) / 1e9,
      includeByokInLimit: true
    }))
  },
  plan: (world) => {
    const { chance, director, providers } = world
    for (const provider of providers) {
      provider.credentialRefusalRate = chance.happens(0.4) ? 0.2 : 0
    }
    for (let rushes = chance.between(1, 2); rushes > 0; rushes--) {
      const at = chance.between(3_000, lastRequestAt)
      const tenant = chance.pick(tenants)
      for (let size = chance.between(3, 6); size > 0; size--) {
        director.schedule(at + chance.between(0, 20), "asks with an own credential", () =>
          ask(world, tenant)
        )
      }
    }
    director.schedule(chance.between(3_000, lastRequestAt), "adds a credential", () =>
      addCredential(world, chance.pick(tenants))
    )
  }
}

const ask = (world: World, tenant: Tenant): void => {
  const process = pickProcess(world)
  if (process === undefined) return
  world.client.send(process, (id) => makeChat(world, tenant, id, allCountingKey(tenant)))
}

/** One that is used after the others of its provider. */
const addCredential = (world: World, tenant: Tenant): void => {
  const process = pickProcess(world)
  if (process === undefined) return
  const provider = world.chance.pick(["acme", "globex"])
  world.client.send(process, () => ({
    ...asks(tenant.management, "manage", tenant),
    path: "/byok",
    body: { provider, key: toCredential(tenant.account, `${provider}-2`) }
  }))
}
