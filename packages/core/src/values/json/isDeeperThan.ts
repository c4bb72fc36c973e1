/** Whether JSON nests deeper than a limit; not recursive, so that no depth overflows the stack. */
export const isDeeperThan = (value: unknown, limit: number): boolean => {
  let level: Array<object> | undefined = isContainer(value) ? [value] : undefined
  for (let depth = 0; level !== undefined; depth++) {
    if (depth === limit) return true
    level = listChildren(level)
  }
  return false
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null

/** Undefined when there are none. */
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
