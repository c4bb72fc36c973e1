/** Rows of in-memory stores that belong to an account. */
import type { AccountId } from "../values/ids/Ids.ts"

export interface OwnedRow<A> {
  readonly account: AccountId
  readonly value: A
}

/** Unique, because the length of all but the last part is in it; every request makes some. */
export const toRowKey = (account: AccountId, ...parts: ReadonlyArray<string>): string => {
  let key: string = account
  for (const part of parts) key = `${key.length} ${key} ${part}`
  return key
}

/** The values of an account, oldest first. */
export const listOwned = <A>(
  rows: ReadonlyMap<string, OwnedRow<A>>,
  account: AccountId,
  isIncluded: (value: A) => boolean = () => true
): ReadonlyArray<A> =>
  Array.from(rows.values()).flatMap((row) =>
    row.account === account && isIncluded(row.value) ? [row.value] : []
  )

export const isInWorkspace =
  (workspace: string | undefined) =>
  ({ workspace_id }: { readonly workspace_id: string }): boolean =>
    workspace === undefined || workspace_id === workspace
