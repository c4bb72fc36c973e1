/** Whether an alert is about a person. Pure. */
import type { Alert } from "../../engine/observability/alerts/Alert.ts"
import type { Delivery } from "../../tenants/webhooks/Delivery.ts"
import type { Person } from "./Person.ts"
import { isScopeOf } from "./renameBounds.ts"

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
