/** Whether JSON nests deeper than a limit. */

/** No depth overflows the stack: few values nest deeper than the levels that recursion visits. */
export const isDeeperThan = (value: unknown, limit: number): boolean =>
  visit(value, Math.min(limit, recursiveLevels)) &&
  (limit <= recursiveLevels || visitByLevel(value, limit))

const recursiveLevels = 100

/** Allocates nothing. */
const visit = (value: unknown, limit: number): boolean => {
  if (!isContainer(value)) return false
  if (limit === 0) return true
  if (Array.isArray(value)) {
    for (const child of value as ReadonlyArray<unknown>) if (visit(child, limit - 1)) return true
    return false
  }
  for (const key in value) if (visit(Reflect.get(value, key), limit - 1)) return true
  return false
}

const visitByLevel = (value: unknown, limit: number): boolean => {
  let level: Array<object> | undefined = isContainer(value) ? [value] : undefined
  for (let depth = 0; level !== undefined; depth++) {
    if (depth === limit) return true
    level = listChildren(level)
  }
  return false
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null

/** Undefined when there are no children. */
const listChildren = (containers: ReadonlyArray<object>): Array<object> | undefined => {
  let children: Array<object> | undefined
  for (const container of containers) {
    for (const key in container) {
      const child: unknown = Reflect.get(container, key)
      if (!isContainer(child)) continue
      if (children === undefined) children = [child]
      else children.push(child)
    }
  }
  return children
}
