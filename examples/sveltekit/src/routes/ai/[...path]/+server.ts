/** Signalbox in a SvelteKit application, under /ai. */
import { signalbox } from "@signalbox/web"
import { instance } from "../../../signalbox.ts"

const ai = signalbox(instance, { mount: "/ai" })

/** Paths match exactly, also those that end in a slash. */
export const trailingSlash = "ignore"
export const fallback = ({ request }: { readonly request: Request }) => ai(request)
