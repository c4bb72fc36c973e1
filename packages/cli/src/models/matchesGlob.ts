/** Whether a name matches a pattern: `*` stands for any characters, also none, and `?` for one. */
export const matchesGlob = (pattern: string, name: string): boolean => {
  let at = 0
  let star = -1
  let resumeAt = 0
  for (let index = 0; index < name.length;) {
    if (pattern[at] === "*") {
      star = at++
      resumeAt = index
    } else if (pattern[at] === "?" || (at < pattern.length && pattern[at] === name[index])) {
      at++
      index++
    } else if (star >= 0) {
      // The last star takes one character more.
      at = star + 1
      index = ++resumeAt
    } else {
      return false
    }
  }
  while (pattern[at] === "*") at++
  return at === pattern.length
}

/** Accepts names that match one of `include` (all names if it is empty) and do not match any of `exclude`. */
export const makeNameFilter =
  (include: ReadonlyArray<string>, exclude: ReadonlyArray<string>) =>
  (name: string): boolean =>
    (include.length === 0 || include.some((pattern) => matchesGlob(pattern, name))) &&
    !exclude.some((pattern) => matchesGlob(pattern, name))
