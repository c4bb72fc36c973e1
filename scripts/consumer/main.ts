/** Everything a stranger does first, with the packages as they are published. */
import { inExpress } from "./inExpress.ts"
import { inFastify } from "./inFastify.ts"
import { inProcess } from "./inProcess.ts"
import { onOwnPlugs } from "./onOwnPlugs.ts"

for (const program of [inProcess, onOwnPlugs, inExpress, inFastify]) {
  await program()
  console.log(`${program.name}: ok on node ${process.version}`)
}
