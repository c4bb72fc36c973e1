/** Signalbox in node:http, with the restrictions in `POLICIES`. */
import { createServer } from "node:http"
import { signalbox } from "@signalbox/node"
import { openrouter } from "@signalbox/openrouter"
import { reportToParent } from "./reportToParent.ts"
import { makeRestrictedInstance, toPolicies } from "./makeRestrictedInstance.ts"

const baseUrl = `http://127.0.0.1:${process.env["UPSTREAM_PORT"]}`
const { box: instance } = await makeRestrictedInstance(
  (slug) => openrouter({ slug, name: slug, baseUrl, apiKey: "sk-bench-upstream" }),
  toPolicies(process.env["POLICIES"])
)
const server = createServer(signalbox(instance))
server.listen(0, "127.0.0.1", () => reportToParent(server.address()))
