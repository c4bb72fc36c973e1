/** Whether JSON nests deeper than a limit; not recursive, so that no depth overflows the stack. */
export const isDeeperThan = (value: unknown, limit: number): boolean => {
  let level: Array<unknown> = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const next: Array<unknown> = []
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue
      if (depth === limit) return true
      for (const child of Object.values(item)) {
        if (typeof child === "object" && child !== null) next.push(child)
      }
    }
    level = next
  }
  return false
}
