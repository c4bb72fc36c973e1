/** Chooses the hosts that a test file runs in. Apart from `hosts.ts`, because what imports this differs in the full suite. */
import { basename } from "node:path"
import { pickScope } from "../../vitest.scope.ts"
import { type Host, hosts } from "./hosts.ts"

/** The hosts for a test file: all in the full suite, otherwise one chosen by the file's name. */
export const pickHosts = (file: string): ReadonlyArray<Host> => {
  const letters = Array.from(basename(file), (letter) => letter.charCodeAt(0))
  const place = letters.reduce((sum, code) => sum + code, 0) % hosts.length
  return pickScope({ full: hosts, sample: hosts.slice(place, place + 1) })
}
