/** Moves credentials before the others of their providers. */
import type { SealedCredential } from "./UsableCredential.ts"

/** A change of `sort_order`. */
export interface OrderChange {
  readonly id: string
  readonly before: number
  readonly after: number
}

/**
 * `rows` are all credentials of an account, oldest first. Moves those in `ids` to the front in this order and returns
 * the moved ones; undefined when one of `ids` does not exist.
 */
export const reorder = (
  rows: ReadonlyArray<SealedCredential>,
  ids: ReadonlyArray<string>
): ReadonlyArray<OrderChange> | undefined => {
  const byId = new Map(rows.map((row) => [row.credential.id, row]))
  const providers = new Set<string>()
  for (const id of ids) {
    const row = byId.get(id)
    if (row === undefined) return undefined
    providers.add(row.credential.provider)
  }
  const positions = new Map(ids.map((id, position) => [id, position]))
  const toPosition = ({ credential }: SealedCredential): number =>
    positions.get(credential.id) ?? ids.length
  return Array.from(providers).flatMap((provider) =>
    rows
      .filter(({ credential }) => credential.provider === provider)
      .toSorted((self, that) => toPosition(self) - toPosition(that) || compareSortOrder(self, that))
      .flatMap(({ credential: { id, sort_order: before } }, after) =>
        before === after ? [] : [{ id, before, after }]
      )
  )
}

/** Rows with equal `sort_order` stay oldest first, because sorting is stable. */
export const compareSortOrder = (self: SealedCredential, that: SealedCredential): number =>
  self.credential.sort_order - that.credential.sort_order
