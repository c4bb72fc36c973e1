/** Renames a person in the names of budgets, which are called after their scope. Pure. */
import * as Pattern from "effect/RegExp"
import type { Alert } from "../../engine/observability/alerts/Alert.ts"
import type {
  Generation,
  GenerationReason
} from "../../engine/observability/generations/Generation.ts"
import type { Delivery } from "../../tenants/webhooks/Delivery.ts"
import { tagKeyPattern } from "../../values/Tags.ts"
import type { Person, Renaming } from "./PersonStore.ts"

type Bounds = Pick<Generation, "exceeded" | "limits" | "rejected">

/** The limits of a record or a plan, and whom they left out; the same when none names the person. */
export const renameBounds = <A extends Bounds>(bounds: A, renaming: Renaming): A => {
  const { exceeded, limits, rejected } = bounds
  const renamedLimits = limits?.map((limit) => renameLimit(limit, renaming))
  const renamedExceeded = exceeded && renameLimit(exceeded, renaming)
  const renamedRejected = rejected.map((reason) => renameReason(reason, renaming))
  const isSame =
    renamedExceeded === exceeded &&
    renamedRejected.every((reason, at) => reason === rejected[at]) &&
    renamedLimits?.every((limit, at) => limit === limits?.[at]) !== false
  return isSame
    ? bounds
    : {
        ...bounds,
        rejected: renamedRejected,
        ...(renamedLimits === undefined ? undefined : { limits: renamedLimits }),
        ...(renamedExceeded === undefined ? undefined : { exceeded: renamedExceeded })
      }
}

const renameLimit = <A extends { readonly name?: string }>(limit: A, renaming: Renaming): A => {
  const name = limit.name === undefined ? undefined : renameScopeName(limit.name, renaming)
  return name === undefined || name === limit.name ? limit : { ...limit, name }
}

/** A budget that left a candidate out is its source, as `toGenerationBounds.ts` writes it. */
const renameReason = (reason: GenerationReason, renaming: Renaming): GenerationReason => {
  const { source } = reason
  if (!source.startsWith(budgetPrefix)) return reason
  const name = source.slice(budgetPrefix.length)
  const renamed = renameScopeName(name, renaming)
  return renamed === name ? reason : { ...reason, source: budgetPrefix + renamed }
}

const budgetPrefix = "budget "

/** Whether a budget is called after a scope with the person in it. */
const isScopeOf = (text: string, person: Person): boolean =>
  renameScopeName(text, { ...person, pseudonym: "" }) !== text

/** Such as `customer=ada, external user ada`, as `ScopedBudget.ts` writes it. */
export const renameScopeName = (text: string, { kind, name, pseudonym }: Renaming): string => {
  const tag = tagKeyPattern.source.slice(1, -1)
  const before = kind === "user" ? `${tag}=` : `${tag}=|external user `
  const whole = new RegExp(`(^|, )(${before})${Pattern.escape(name)}(?=$|, )`, "g")
  return text.replaceAll(whole, (_, start: string, what: string) => `${start}${what}${pseudonym}`)
}

/** By the limit of a user, by a budget called after its scope, or by a name in its sentences, which quote all names. */
export const namesPerson = ({ account, limit, message }: Alert, person: Person): boolean => {
  const { kind, name } = person
  return (
    account === person.account &&
    ((kind === "user" ? limit?.user_id : limit?.external_user_id) === name ||
      (limit?.kind === "budget" && limit.name !== null && isScopeOf(limit.name, person)) ||
      message.includes(JSON.stringify(name)))
  )
}

/** Whether a delivery has an alert about the person. */
export const deliversName = ({ body, type }: Pick<Delivery, "body" | "type">, person: Person) => {
  if (!type.startsWith("alert.")) return false
  // Safe: events of this type have an alert.
  const { data } = JSON.parse(body) as { readonly data: Alert }
  return namesPerson(data, person)
}
