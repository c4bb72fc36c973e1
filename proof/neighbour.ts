/** Another process on the same database, which asks its own box what it is told to. */
import { type Asked, sharedBox } from "./sharedBox.ts"

const { MEETING = "" } = process.env
const box = await sharedBox(JSON.parse(MEETING))

process.on("message", (asked: Asked) => {
  void box.ask(asked).then((answered) => process.send?.(answered))
})
process.on("disconnect", () => void box.close().then(() => process.exit()))
process.send?.("ready")
