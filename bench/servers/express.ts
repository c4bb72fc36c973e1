/** Signalbox in Express 5. */
import { signalbox } from "@signalbox/express"
import express from "express"
import { makeBox } from "./box.ts"
import { report } from "./report.ts"

const app = express()
app.use(signalbox(await makeBox()))
const server = app.listen(0, "127.0.0.1", () => report(server.address()))
