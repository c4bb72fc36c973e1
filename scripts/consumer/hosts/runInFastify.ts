/** A host on Fastify. */
import { signalbox } from "@signalbox/fastify"
import fastify from "fastify"
import { requestOverHttp } from "./requestOverHttp.ts"
import { makeInstance } from "./makeInstance.ts"

export const runInFastify = async (): Promise<void> => {
  await using consumer = await makeInstance()
  const app = fastify({ forceCloseConnections: true })
  await app.register(signalbox(consumer.instance), { prefix: "/ai" })
  app.get("/mine", () => "mine")
  await requestOverHttp(await app.listen({ port: 0, host: "127.0.0.1" }))
  await app.close()
}
