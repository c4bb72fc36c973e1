/** Measures how much of the heap a value keeps. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

/** In bytes, after a garbage collection; other work of the process must not run meanwhile. */
export const measureHeap = <A>(make: () => A): { readonly made: A; readonly bytes: number } => {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const made = make()
  collectGarbage()
  return { made, bytes: process.memoryUsage().heapUsed - before }
}
