/** Waits for an effect of another process. */
import { setTimeout as sleep } from "node:timers/promises"

const timeoutMillis = 120_000

/** Throws with `problem` after a timeout. */
export const waitUntil = async (
  condition: () => Promise<boolean>,
  problem: string
): Promise<void> => {
  const begun = Date.now()
  while (!(await condition())) {
    if (Date.now() - begun > timeoutMillis) throw new Error(`${problem} in ${timeoutMillis} ms`)
    await sleep(150)
  }
}
