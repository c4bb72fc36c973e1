/** The tenants of a simulated world, their keys and limits. */
import { hash } from "node:crypto"
import type { Options } from "@signalbox/core/adapter"

export interface Tenant {
  /** The id of its account. */
  readonly account: string
  /** A key with a limit. */
  readonly limited: string
  /** A key that only the credits of the account limit. */
  readonly open: string
  /** A key that is deleted in the course of time. */
  readonly doomed: string
  readonly management: string
}

/** Nano-USD: little enough that some worlds exhaust it. */
export const keyLimitNano = 900_000n
export const creditsNano = 6_000_000n

const makeTenant = (account: string): Tenant => ({
  account,
  limited: `sk-${account}-limited`,
  open: `sk-${account}-open`,
  doomed: `sk-${account}-doomed`,
  management: `sk-${account}-management`
})

export const tenants = [makeTenant("north"), makeTenant("south")] as const

export const tenantOptions: Pick<Options, "credits" | "keys"> = {
  keys: tenants.flatMap(({ account, doomed, limited, management, open }) => [
    { key: limited, kind: "organization" as const, account, limit: Number(keyLimitNano) / 1e9 },
    { key: open, kind: "organization" as const, account },
    { key: doomed, kind: "organization" as const, account },
    { key: management, kind: "management" as const, account }
  ]),
  credits: Object.fromEntries(
    tenants.map(({ account }) => [account, String(Number(creditsNano) / 1e9)])
  )
}

/** By which the stores name the key. */
export const keyHashOf = (secret: string): string => hash("sha256", secret, "hex")
