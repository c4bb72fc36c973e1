/** Keys as a table, which never has their secrets. */
import type { Key } from "@signalbox/client"
import { renderTable } from "@signalbox/core/render"

const head = ["name", "hash", "key", "state", "USD used", "limit", "left", "resets", "expires"]

export type KeyState = "active" | "disabled" | "expired"

export const toKeyState = (
  { disabled, expires_at }: Pick<Key, "disabled" | "expires_at">,
  now: number
): KeyState =>
  disabled
    ? "disabled"
    : expires_at !== null && Date.parse(expires_at) <= now
      ? "expired"
      : "active"

/** Enough of a hash to tell keys apart, and to name them by. */
const shownHashLength = 12

export const renderKeys = (keys: ReadonlyArray<Key>, now: number): string =>
  keys.length === 0
    ? "There are no keys: create one with signalbox keys create NAME."
    : renderTable(
        head,
        keys.map((key) => [
          key.name,
          key.hash.slice(0, shownHashLength),
          key.label,
          toKeyState(key, now),
          String(key.usage),
          toUsd(key.limit),
          toUsd(key.limit_remaining),
          key.limit_reset ?? "never",
          key.expires_at ?? "never"
        ])
      )

const toUsd = (usd: number | null): string => (usd === null ? "none" : String(usd))
