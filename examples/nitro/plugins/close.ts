/** Closes the instance after the server. */
import { definePlugin } from "nitro"
import { instance } from "../signalbox.ts"

export default definePlugin(({ hooks }) => {
  hooks.hook("close", () => instance.close())
})
