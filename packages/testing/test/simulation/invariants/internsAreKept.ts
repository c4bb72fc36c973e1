/** An intern is hired once, is there until it is dismissed, and what was begun with it ends. */
import { isAtRest, listInterns } from "../features/interns.ts"
import { findId } from "../findId.ts"
import type { World } from "../World.ts"

export const internsAreKept = async (world: World): Promise<ReadonlyArray<string>> => {
  const { exchanges } = world.client
  const kept = await listInterns(world)
  const found = kept
    .filter((intern) => !isAtRest(intern))
    .map(({ creation, id, status }) => `${id} is ${creation.isReady ? status : "made"} for ever`)
  const hired = new Map<string, string>()
  for (const { headers, id, kind, status, tenant, text } of exchanges) {
    if (kind !== "hire" || (status !== 200 && status !== 201)) continue
    const intern = findId(text)
    const hire = `${headers?.["idempotency-key"]} of ${tenant.account}`
    const isDismissed = exchanges.some(
      (each) => each.kind === "dismiss" && each.path.endsWith(intern)
    )
    if (isDismissed) continue
    const known = hired.get(hire) ?? intern
    hired.set(hire, known)
    if (known !== intern) found.push(`${hire} has the interns ${known} and ${intern}`)
    if (!kept.some((each) => each.id === intern)) found.push(`the intern of ${id} is gone`)
  }
  for (const { kind, path, status } of exchanges) {
    const dismissed = kept.find((intern) => path.endsWith(intern.id))
    if (kind === "dismiss" && status === 202 && dismissed?.status === "running") {
      found.push(`${dismissed.id} was dismissed, and is running`)
    }
  }
  return found
}
