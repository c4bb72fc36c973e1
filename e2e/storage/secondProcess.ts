/** A second process on the same database, which sends the received requests to its own instance. */
import { type InstanceRequest, makeSharedInstance } from "../support/makeSharedInstance.ts"

const { MEETING = "" } = process.env
const instance = await makeSharedInstance(JSON.parse(MEETING))

process.on("message", (asked: InstanceRequest) => {
  void instance.ask(asked).then((answered) => process.send?.(answered))
})
process.on("disconnect", () => void instance.close().then(() => process.exit()))
process.send?.("ready")
