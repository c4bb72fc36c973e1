/** Waits for what another process is to bring about. */
import { setTimeout as sleep } from "node:timers/promises"

const timeoutMillis = 120_000

/** Fails with what did not happen. */
export const waitUntil = async (isSo: () => Promise<boolean>, what: string): Promise<void> => {
  const begun = Date.now()
  while (!(await isSo())) {
    if (Date.now() - begun > timeoutMillis) throw new Error(`${what} in ${timeoutMillis} ms`)
    await sleep(150)
  }
}
