/** Runs the event loop until all work without timers is done, including crypto calls and modules loaded on demand. */
import { setImmediate } from "node:timers/promises"
import { vi } from "vitest"

const pending = new Set<unknown>()

// A crypto call takes an unknown number of turns, so its promise is awaited instead.
for (const name of ["decrypt", "deriveBits", "digest", "encrypt", "importKey", "sign", "verify"]) {
  const method: unknown = Reflect.get(crypto.subtle, name)
  if (typeof method !== "function") throw new Error(`crypto.subtle has no ${name}`)
  Reflect.set(crypto.subtle, name, (...args: ReadonlyArray<unknown>): unknown => {
    const result: unknown = Reflect.apply(method, crypto.subtle, args)
    pending.add(result)
    const forget = () => pending.delete(result)
    Promise.resolve(result).then(forget, forget)
    return result
  })
}

export const settle = async (turns: number): Promise<void> => {
  await runTurns(turns)
  await vi.dynamicImportSettled()
  await runTurns(turns)
}

const runTurns = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) {
    if (pending.size > 0) {
      await Promise.allSettled(pending)
      turn = 0
    }
    await setImmediate()
  }
}
