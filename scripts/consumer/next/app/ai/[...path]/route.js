/** Signalbox under /ai. */
import { signalbox } from "@signalbox/web"
import { makeInstance } from "../../../signalbox.js"

const ai = signalbox(await makeInstance(), { mount: "/ai" })

export { ai as DELETE, ai as GET, ai as PATCH, ai as POST, ai as PUT }
export const dynamic = "force-dynamic"
