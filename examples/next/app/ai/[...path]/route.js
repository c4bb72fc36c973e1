/** Signalbox in a Next.js application, under /ai. */
import { signalbox } from "@signalbox/web"
import { instance } from "../../../signalbox.ts"

const ai = signalbox(instance, { mount: "/ai" })

export { ai as DELETE, ai as GET, ai as PATCH, ai as POST, ai as PUT }
