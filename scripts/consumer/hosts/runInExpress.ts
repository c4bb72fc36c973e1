/** A host on Express. */
import { once } from "node:events"
import { createServer } from "node:http"
import { signalbox } from "@signalbox/express"
import express from "express"
import { requestOverHttp } from "./requestOverHttp.ts"
import { makeInstance } from "./makeInstance.ts"

export const runInExpress = async (): Promise<void> => {
  await using consumer = await makeInstance()
  const app = express()
  app.use("/ai", signalbox(consumer.instance))
  app.get("/mine", (_request, response) => {
    response.send("mine")
  })
  const server = createServer(app).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  await requestOverHttp(`http://127.0.0.1:${address.port}`)
  server.close()
  server.closeAllConnections()
}
