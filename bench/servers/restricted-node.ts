/** Signalbox in plain node:http, its caller under the policies that `POLICIES` names. */
import { createServer } from "node:http"
import { signalbox } from "@signalbox/node"
import { openrouter } from "@signalbox/openrouter"
import { report } from "./report.ts"
import { makeRestrictedBox, policiesOf } from "./restricted-box.ts"

const baseUrl = `http://127.0.0.1:${process.env["UPSTREAM_PORT"]}`
const { box } = await makeRestrictedBox(
  (slug) => openrouter({ slug, name: slug, baseUrl, apiKey: "sk-bench-upstream" }),
  policiesOf(process.env["POLICIES"])
)
const server = createServer(signalbox(box))
server.listen(0, "127.0.0.1", () => report(server.address()))
