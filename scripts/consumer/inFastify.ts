/** A host on Fastify. */
import { signalbox } from "@signalbox/fastify"
import fastify from "fastify"
import { askOverHttp } from "./askOverHttp.ts"
import { makeBox } from "./makeBox.ts"

export const inFastify = async (): Promise<void> => {
  await using consumer = await makeBox()
  const app = fastify({ forceCloseConnections: true })
  await app.register(signalbox(consumer.box), { prefix: "/ai" })
  app.get("/mine", () => "mine")
  await askOverHttp(await app.listen({ port: 0, host: "127.0.0.1" }))
  await app.close()
}
