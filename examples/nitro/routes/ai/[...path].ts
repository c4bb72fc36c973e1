/** Signalbox in a Nitro application, under /ai. */
import { signalbox } from "@signalbox/web"
import { defineHandler } from "nitro"
import { instance } from "../../signalbox.ts"

const ai = signalbox(instance, { mount: "/ai" })

export default defineHandler(({ req }) => ai(req))
