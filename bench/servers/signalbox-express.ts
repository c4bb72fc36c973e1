/** Signalbox in Express 5. */
import { signalbox } from "@signalbox/express"
import express from "express"
import { makeInstance } from "./makeInstance.ts"
import { reportToParent } from "./reportToParent.ts"

const app = express()
app.use(signalbox(await makeInstance()))
const server = app.listen(0, "127.0.0.1", () => reportToParent(server.address()))
