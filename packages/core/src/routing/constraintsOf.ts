/** What an account restricts, as the router hears it. */
import type { Account } from "../accounts/Account.ts"
import type { Limit } from "../ledger/Limit.ts"
import type { Constraint } from "./Constraint.ts"

export const constraintsOf = (
  account: Account,
  limits: ReadonlyArray<Limit>
): ReadonlyArray<Constraint> => {
  const { dataCollection, ignore, only, zdr } = account
  const budgeted = limits.length > 0
  if (
    !budgeted &&
    only === undefined &&
    ignore === undefined &&
    !zdr &&
    dataCollection !== "deny"
  ) {
    return noConstraints
  }
  return [
    {
      source: "account",
      budgeted,
      zdr: zdr === true,
      denyDataCollection: dataCollection === "deny",
      ...(only === undefined ? undefined : { only }),
      ...(ignore === undefined ? undefined : { ignore })
    }
  ]
}

const noConstraints: ReadonlyArray<Constraint> = []
