/** Puts credentials in front of the others of their providers. */
import type { KeptCredential } from "./KeptCredential.ts"

/** A credential that has another `sort_order` than before. */
export interface Moved {
  readonly id: string
  readonly before: number
  readonly after: number
}

/**
 * `rows` are all credentials of an account, oldest first; those of `ids` come first, in this order, and
 * the others keep theirs. Gives those that moved; undefined when one of `ids` is not among them.
 */
export const arranged = (
  rows: ReadonlyArray<KeptCredential>,
  ids: ReadonlyArray<string>
): ReadonlyArray<Moved> | undefined => {
  const byId = new Map(rows.map((row) => [row.credential.id, row]))
  const providers = new Set<string>()
  for (const id of ids) {
    const row = byId.get(id)
    if (row === undefined) return undefined
    providers.add(row.credential.provider)
  }
  const places = new Map(ids.map((id, place) => [id, place]))
  const placeOf = ({ credential }: KeptCredential): number =>
    places.get(credential.id) ?? ids.length
  return Array.from(providers).flatMap((provider) =>
    rows
      .filter(({ credential }) => credential.provider === provider)
      .toSorted((self, that) => placeOf(self) - placeOf(that) || byOrder(self, that))
      .flatMap(({ credential: { id, sort_order: before } }, after) =>
        before === after ? [] : [{ id, before, after }]
      )
  )
}

/** Rows come oldest first, and sorting keeps it so among equals. */
export const byOrder = (self: KeptCredential, that: KeptCredential): number =>
  self.credential.sort_order - that.credential.sort_order
