/** Waits for what another process is to bring about. */
import { setTimeout as sleep } from "node:timers/promises"

const patienceMillis = 120_000

/** Fails with what did not happen. */
export const eventually = async (isSo: () => Promise<boolean>, what: string): Promise<void> => {
  const begun = Date.now()
  while (!(await isSo())) {
    if (Date.now() - begun > patienceMillis) throw new Error(`${what} in ${patienceMillis} ms`)
    await sleep(150)
  }
}
