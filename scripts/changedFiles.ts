/** Which files have changed: in the working tree, and in commits that the upstream branch does not have. */
import { execFileSync } from "node:child_process"

/**
 * Paths relative to `root`. `base` is a commit; default: the upstream of the branch, or the last commit if it has no
 * upstream.
 */
export const listChangedFiles = (root: string, base?: string): ReadonlyArray<string> => {
  const git = (...args: ReadonlyArray<string>): ReadonlyArray<string> =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n")
      .filter(Boolean)
  const findBase = (): string => {
    try {
      return git("merge-base", "HEAD", "@{upstream}")[0] ?? "HEAD"
    } catch {
      return "HEAD"
    }
  }
  const changed = git("diff", "--name-only", base ?? findBase())
  return [...new Set([...changed, ...git("ls-files", "--others", "--exclude-standard")])]
}
