/** Renames a person in the names of budgets, which are called after their scope. Pure. */
import type { Generation } from "../../engine/observability/generations/Generation.ts"
import { tagKeyPattern } from "../../values/Tags.ts"
import type { Renaming } from "./Person.ts"

type Bounds = Pick<Generation, "exceeded" | "limits">

/** The limits of a record or a plan; the same when none names the person. */
export const renameBounds = <A extends Bounds>(bounds: A, renaming: Renaming): A => {
  const { exceeded, limits } = bounds
  const renamedLimits = limits?.map((limit) => renameLimit(limit, renaming))
  const renamedExceeded = exceeded && renameLimit(exceeded, renaming)
  const isSame =
    renamedExceeded === exceeded &&
    renamedLimits?.every((limit, at) => limit === limits?.[at]) !== false
  return isSame
    ? bounds
    : {
        ...bounds,
        ...(renamedLimits === undefined ? undefined : { limits: renamedLimits }),
        ...(renamedExceeded === undefined ? undefined : { exceeded: renamedExceeded })
      }
}

const renameLimit = <A extends { readonly name?: string }>(limit: A, renaming: Renaming): A => {
  const name = limit.name === undefined ? undefined : renameScopeName(limit.name, renaming)
  return name === undefined || name === limit.name ? limit : { ...limit, name }
}

/** Such as `customer=ada, external user ada`, as `ScopedBudget.ts` writes it. */
export const renameScopeName = (text: string, { kind, name, pseudonym }: Renaming): string => {
  const tag = tagKeyPattern.source.slice(1, -1)
  const before = kind === "user" ? `${tag}=` : `${tag}=|external user `
  const whole = new RegExp(`(^|, )(${before})${escapePattern(name)}(?=$|, )`, "g")
  return text.replaceAll(whole, (_, start: string, what: string) => `${start}${what}${pseudonym}`)
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")
