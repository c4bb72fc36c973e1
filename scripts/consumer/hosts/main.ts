/** Uses the published packages in process, in Express and in Fastify. */
import { runChat } from "./runChat.ts"
import { runInExpress } from "./runInExpress.ts"
import { runInFastify } from "./runInFastify.ts"
import { runInProcess } from "./runInProcess.ts"
import { runWithCustomStores } from "./runWithCustomStores.ts"

for (const program of [runInProcess, runChat, runWithCustomStores, runInExpress, runInFastify]) {
  await program()
  console.log(`${program.name}: ok on node ${process.version}`)
}
