/** Signalbox in node:http with small stores, so that full ones are measured, and a provider that fails. */
import { createServer } from "node:http"
import { signalbox } from "@signalbox/node"
import { makeInstance } from "./makeInstance.ts"
import { reportToParent } from "./reportToParent.ts"

const instance = await makeInstance({
  keys: [{ key: "sk-bench-management", kind: "management" }],
  settings: { maxGenerations: 500, maxAuditEntriesPerAccount: 100 }
})
const server = createServer(signalbox(instance))
server.listen(0, "127.0.0.1", () => reportToParent(server.address()))
